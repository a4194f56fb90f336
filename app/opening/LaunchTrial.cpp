#include "opening/LaunchTrial.h"

#include <algorithm>
#include <vector>

#include "experiment/InputData.h"
#include "simt/Executor.h"

namespace haloscope::opening {

LaunchTrial tryLaunch(const KernelFile& file, const Program& program, const std::set<ObjectId>& written) {
  LaunchTrial trial;
  try {
    const Bindings bindings = file.defaults();
    const LaunchConfiguration configuration = file.configuration(bindings);
    if (program.maxThreads > 0 && configuration.block.count() > program.maxThreads) { return trial; }
    trial.blocks = configuration.grid.count();
    if (trial.blocks > 20'000) { return trial; }
    for (const ArrayDeclaration& array : file.arrays) {
      double elements = 1;
      for (const Expression& one : array.shape) { elements *= one.evaluate(bindings); }
      if (elements > 4e6) { return trial; }
    }
    Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    const std::vector<ArrayData> before = launch.arrays;
    simt::ExecuteOptions options;
    options.instructionBudget = std::clamp<std::uint64_t>(20'000'000 / trial.blocks, 1000, 100'000);
    const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
    trial.clean = result.outcome == simt::Outcome::Finished && result.outOfBounds == 0;
    for (const ObjectId id : written) {
      const auto& now = launch.arrays[id].bytes;
      const auto& then = before[id].bytes;
      for (std::size_t i = 0; i < now.size(); i += 4) { trial.covered += now[i] != then[i] ? 1 : 0; }
    }
  } catch (const UserError&) { trial = {}; }
  return trial;
}

}  // namespace haloscope::opening
