#include "reports/VerifiedProgram.h"

#include <fmt/format.h>

#include <exception>
#include <map>
#include <utility>

#include "faults/FaultChecks.h"
#include "frontend/Frontend.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "running/LinkedFiles.h"
#include "running/OfferedSizes.h"

namespace haloscope {

namespace {

using running::BoundLaunch;
using running::LaunchedKernel;
using running::ProgramLaunch;

/// What is known of the launches of a program before this one.
class LaunchVerifier {
 public:
  LaunchVerifier(const std::shared_ptr<const gpu::Device>& device, const VerifyLimits& limits) : limits_(limits) {
    if (device) { gpu_.emplace(device); }
  }

  VerifiedLaunch verify(const ProgramLaunch& launch, const LaunchedKernel& kernel, const BoundLaunch& bound) {
    VerifiedLaunch result{.kernel = launch.kernel,
                          .file = launch.at.file,
                          .line = launch.at.line,
                          .configuration = launch.configuration,
                          .arrays = writtenArrays(bound),
                          .message = {},
                          .onGpu = {}};
    const std::pair shape{launch.symbol, launch.configuration.grid.count()};
    if (const auto refused = tooLarge_.find(shape); refused != tooLarge_.end()) {
      result.message = refused->second;
      return result;
    }
    Launch emulated = bound.launch;
    measuring::GpuVerdict verdict;
    try {
      verdict = measuring::GpuGate::ask(*bound.program, emulated, faultOptions(bound));
    } catch (const InputError& refused) {
      result.message = tooLarge_[shape] = trf("not run on a GPU: {}", refused.what());
      return result;
    }
    result.faulty = !verdict.clearance;
    if (result.faulty) {
      const std::string place = verdict.where.valid() ? trf("line {}: ", verdict.where.line) : "";
      result.message = trf("not run on a GPU: {}{}", place, verdict.objection);
    }
    if (!verdict.clearance || !gpu_) { return result; }
    try {
      result.onGpu = gpu_->compare(*verdict.clearance, textOf(kernel), *bound.program, bound.launch, emulated);
    } catch (const gpu::Error& error) {
      result.faulty = true;
      result.message = trf("the GPU failed: {}", error.what());
    } catch (const std::exception& error) { result.message = trf("not run on a GPU: {}", error.what()); }
    return result;
  }

 private:
  static std::vector<std::string> writtenArrays(const BoundLaunch& bound) {
    const std::vector<bool> written = writtenObjects(*bound.program);
    std::vector<std::string> names;
    for (ObjectId object = 0; object < written.size(); ++object) {
      const MemoryObject& one = bound.program->objects[object];
      if (written[object] && one.space == MemorySpace::Global) { names.push_back(one.name); }
    }
    return names;
  }

  [[nodiscard]] faults::FaultOptions faultOptions(const BoundLaunch& bound) const {
    faults::FaultOptions options;
    options.execute.launchBudget = limits_.warpInstructions;
    for (const auto& [object, allocation] : bound.allocations) {
      if (auto words = running::unwrittenWords(bound.launch.arrays[object].bytes)) {
        options.undefined.emplace_back(object, std::move(words));
      }
    }
    return options;
  }

  const gpu::KernelText& textOf(const LaunchedKernel& kernel) {
    const auto [entry, isNew] = texts_.try_emplace(&kernel);
    if (isNew) {
      entry->second = measuring::gpuText(kernel.file, kernel.options,
                                         frontend::deviceText(kernel.file, *kernel.text, kernel.options));
    }
    return entry->second;
  }

  const VerifyLimits& limits_;
  std::optional<measuring::LaunchesOnGpu> gpu_;
  std::map<const LaunchedKernel*, gpu::KernelText> texts_;
  std::map<std::pair<std::string, std::uint64_t>, std::string> tooLarge_;  ///< by kernel and number of blocks
};

}  // namespace

running::ProgramRun verifyProgram(running::ProgramFiles files, running::RunOptions options,
                                  const std::shared_ptr<const gpu::Device>& device, const VerifyLimits& limits,
                                  const std::function<void(const VerifiedLaunch&)>& tell) {
  LaunchVerifier verifier(device, limits);
  std::size_t number = 0;
  options.budget.checkedLaunches = 0;  // these are checked before they are executed
  // Which sizes it is executed with is known when it has been executed.
  running::ProgramRun known = running::runLinked(files, options);
  options.compiled = known.compiled;
  options.beforeLaunch = [&](const ProgramLaunch& launch, const LaunchedKernel& kernel, const BoundLaunch& bound) {
    if (++number > limits.launches) { return; }
    VerifiedLaunch result = verifier.verify(launch, kernel, bound);
    result.number = number;
    tell(result);
  };
  if (known.sizes.empty()) { return running::run(files.program, options); }
  options.arguments = running::withSizes(std::move(options.arguments), known.sizes);
  running::ProgramRun run = running::run(running::withSizes(files.program, known.sizes), options);
  run.sizesText = std::move(known.sizesText);
  return run;
}

}  // namespace haloscope
