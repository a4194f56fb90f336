#include "experiment/FaultlessRun.h"

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

void expectFaultless(const KernelFile& file, const Bindings& bindings, const Program& program, unsigned workers) {
  Bindings small = bindings;  // NOLINT(performance-unnecessary-copy-initialization): written to below
  for (const SizeParameter& size : file.sizes) { small[size.name] = size.defaultValue; }
  Launch launch = makeLaunch(file, small, program, InputKind::Random);
  simt::ExecuteOptions options;
  options.workers = workers;
  const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
  if (result.outcome != simt::Outcome::Finished) { throw FaultError(file.path.string(), result.where, result.message); }
  if (result.outOfBounds > 0) {
    throw FaultError(file.path.string(), result.firstOutOfBounds, result.firstOutOfBoundsMessage);
  }
}

}  // namespace haloscope::experiment
