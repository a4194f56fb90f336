#include "reports/VerifiedProgram.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <utility>

#include "driver/Device.h"
#include "faults/FaultChecks.h"
#include "frontend/Frontend.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "measuring/Verify.h"
#include "running/LinkedFiles.h"
#include "running/OfferedSizes.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const recording::RecordingAgreement& agreement) {
  Json json{{"intervals", agreement.intervals},
            {"accesses", agreement.accesses},
            {"assignments", agreement.assignments},
            {"shared_values", agreement.sharedValues},
            {"missing", agreement.missing},
            {"different", agreement.different},
            {"elsewhere", agreement.elsewhere},
            {"uncertain", agreement.uncertain},
            {"indeterminate", agreement.indeterminate},
            {"max_ulps", std::isfinite(agreement.maxUlps) ? Json(agreement.maxUlps) : Json(nullptr)}};
  if (agreement.first) {
    json["first"] = {
        {"step", agreement.first->step}, {"line", agreement.first->where.line}, {"message", agreement.first->sentence}};
  }
  return json;
}

std::string summaryOf(const recording::RecordingAgreement& agreement) {
  const std::string rest = agreement.uncertain == 0 ? "" : trf(" except for {} of atomics", agreement.uncertain);
  if (agreement.same()) { return "bit-identical" + rest; }
  std::string text;
  if (agreement.different > 0) {
    text = trf("{} values differ, by at most {} ulp", agreement.different, agreement.maxUlps);
  }
  if (agreement.missing > 0) { text += trf("{}{} missing", text.empty() ? "" : ", ", agreement.missing); }
  return text;
}

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

ExitCode verifyRecordings(const std::vector<KernelFile>& files, const std::vector<Bindings>& bindings, bool json) {
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("--recording needs an NVIDIA GPU: {}", search.missing)); }
  Json list = Json::array();
  bool allPass = true;
  measuring::GpuGate gate;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<measuring::RecordingVerification> results;
    try {
      results = measuring::verifyRecording(search.device, files[i], bindings[i], gate);
    } catch (const SourceError& error) {
      if (files.size() == 1) { throw; }
      results.emplace_back().message = error.what();
    }
    for (const measuring::RecordingVerification& result : results) {
      allPass = allPass && result.pass();
      Json row{{"id", files[i].id},
               {"where", search.device->properties().name},
               {"block", text(result.block)},
               {"exact", toJson(result.exact)},
               {"contracted", toJson(result.contracted)},
               {"launch_ms", result.runMilliseconds},
               {"read_seconds", result.readSeconds},
               {"compile_seconds", result.compileSeconds},
               {"seconds", result.seconds},
               {"pass", result.pass()}};
      if (!result.message.empty()) { row["message"] = result.message; }
      list.push_back(std::move(row));
      if (json) { continue; }
      const char* verdict = result.pass() ? "pass" : "FAIL";
      if (!result.message.empty()) {
        printText("{:<34}{:<12}{}  {}\n", files[i].id, text(result.block), result.message, verdict);
        continue;
      }
      trPrint(
          "{:<34}{:<12}{:>8} accesses, {:>7} assignments, {:>6} shared values in {:>3} intervals: {}; fused: {}  {}\n",
          files[i].id, text(result.block), result.exact.accesses, result.exact.assignments, result.exact.sharedValues,
          result.exact.intervals, summaryOf(result.exact), summaryOf(result.contracted), verdict);
      for (const auto* agreement : {&result.exact, &result.contracted}) {
        const bool reported = agreement->first && (agreement == &result.exact || agreement->missing > 0);
        if (reported) {
          trPrint("    step {}, line {}: {}\n", agreement->first->step, agreement->first->where.line,
                  agreement->first->sentence);
        }
      }
      std::fflush(stdout);
    }
  }
  if (json) { printJson(list); }
  return allPass ? ExitCode::Good : ExitCode::Mismatch;
}

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
