#include "options/ProgramLaunches.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "language/Text.h"
#include "options/GpuOption.h"
#include "options/ProgramOptions.h"
#include "program/SourceLocation.h"
#include "running/FirstLaunches.h"
#include "running/LinkedFiles.h"
#include "running/OfferedSizes.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"
#include "running/Remarks.h"
#include "text/Print.h"

namespace haloscope {

std::string failureOf(const running::ProgramLaunch& launch) {
  return trf("Its launch of {} at line {} was not executed: {}", launch.kernel, launch.at.line, launch.problem);
}

ProgramLaunches launchesOfProgram(const std::filesystem::path& path, const ProgramOptions& program,
                                  const std::map<std::string, std::string>& macros,
                                  std::optional<std::size_t> selected) {
  running::ProgramFiles files = running::readProgram(path);
  const auto hasMain = [](const host::HostProgram::File& file) { return running::definesMain(file.text); };
  if (std::ranges::none_of(files.program.files, hasMain)) {
    program.expectNone(path.string());
    return {};
  }
  files.program.defines = macros;
  running::RunOptions options = program.runOptions(measuring::defaultGpu());
  // Only how it launches is of interest: what it computes matters as far as later launches depend on it.
  options.budget.checkedLaunches = 0;
  options.budget.hostTime = std::chrono::seconds(10);
  options.budget.kernelTime = std::chrono::seconds(10);
  options.budget.warpInstructions = 500'000'000;
  running::FirstLaunches first;
  options.beforeLaunch = [&](const running::ProgramLaunch& launch, const running::LaunchedKernel&,
                             const running::BoundLaunch& bound) { first.begin(launch, bound); };
  const running::ProgramRun run = running::runLinked(files, options);
  ProgramLaunches known{.launches = run.facts(),
                        .texts = running::changedTexts(files, running::withSizes(files.program, run.sizes))};
  for (auto& [launch, data] : std::move(first).of(run)) {
    known.data.try_emplace(run.launches[launch].kernel, std::move(data));
  }
  if (selected) {
    if (*selected >= run.launches.size()) {
      throw InputError(trf("launch {}: the program has {}", *selected + 1, run.launches.size()));
    }
    known.launches.insert(known.launches.begin(), run.launches[*selected].facts);
  }
  if (!run.sizesText.empty()) { printText(stderr, "haloscope: note: {}: {}\n", path.string(), run.sizesText); }
  if (known.launches.empty()) {
    const std::string why = !run.message.empty()    ? run.message
                            : !run.problems.empty() ? run.problems.front().message
                            : run.launches.empty()  ? running::withoutLaunches(run, !program.arguments.empty())
                                                    : failureOf(run.launches.front());
    printText(stderr,
              "haloscope: note: {}: how the program launches its kernels is not known, so that is "
              "proposed from their text. {}\n",
              path.string(), why);
  }
  return known;
}

}  // namespace haloscope
