#include "opening/LaunchTrial.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "experiment/InputData.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::opening {

namespace {

/// Larger arrays are not tried, and an index beyond this is no size that a kernel needs.
constexpr std::int64_t kMostElements = 4'000'000;

/// How many elements each array would need, so that no access is beyond its end.
class Reach final : public simt::Observer {
 public:
  explicit Reach(const Program& program) : program_(program) {}

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Reach>(program_); }
  void join(Observer& worker) override {
    for (const auto& [object, elements] : static_cast<Reach&>(worker).needed_) {
      needed_[object] = std::max(needed_[object], elements);
    }
  }
  void outOfBounds(const simt::WarpContext& /*context*/, const simt::OutOfBounds& fault) override {
    if (fault.object == kNone) { return; }
    const std::int64_t size = sizeInMemory(program_.objects[fault.object].element);
    const std::int64_t bytes = sizeInMemory(program_.code[fault.instruction].type);
    for (LaneMask lanes = fault.lanes & ~fault.misaligned; lanes != 0; lanes &= lanes - 1) {
      const std::int64_t index = fault.index[static_cast<std::size_t>(std::countr_zero(lanes))];
      if (index < 0 || index > kMostElements * size) { continue; }
      needed_[fault.object] = std::max(needed_[fault.object], ((index + 1) * bytes + size - 1) / size);
    }
  }

  [[nodiscard]] const std::map<ObjectId, std::int64_t>& needed() const { return needed_; }

 private:
  const Program& program_;
  std::map<ObjectId, std::int64_t> needed_;
};

}  // namespace

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
      if (elements > static_cast<double>(kMostElements)) { return trial; }
    }
    Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    const std::vector<ArrayData> before = launch.arrays;
    simt::ExecuteOptions options;
    options.instructionBudget = std::clamp<std::uint64_t>(20'000'000 / trial.blocks, 1000, 100'000);
    Reach reach(program);
    simt::Observer* const observer = &reach;
    const simt::ExecuteResult result = simt::execute(program, launch, {&observer, 1}, options);
    trial.needed = reach.needed();
    trial.instructions = std::reduce(result.profile.warps.begin(), result.profile.warps.end());
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
