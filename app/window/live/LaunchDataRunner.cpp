#include "live/LaunchDataRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope {

namespace {

/// Of all arrays: an experiment keeps several copies of them.
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

FetchedLaunchData fetch(const WantedLaunch& wanted, const ProgramRunner::Execution& execution,
                        const std::stop_token& stop) {
  const ShownProgram& program = *wanted.program;
  if (!program.run.sizes.empty()) {
    return {nullptr,
            tr("The program was executed smaller than its text says, so this launch is not shown with its own data.")};
  }
  try {
    running::RunOptions options = execution.options(wanted.gpu);
    options.compiled = program.run.compiled;
    options.arguments = program.arguments;
    options.files = program.opened;
    options.budget.checkedLaunches = 0;  // they were checked when the program was executed
    options.keepLaunch = wanted.launch;
    options.stop = stop;
    running::ProgramFiles files = program.files;
    return launchDataOf(execution.run(files, options),
                        trf("launch {} of {}", grouped(wanted.launch + 1), grouped(program.run.launches.size())));
  } catch (const std::exception& problem) { return {nullptr, fmt::format("{}.", problem.what())}; }
}

}  // namespace

FetchedLaunchData launchDataOf(const running::ProgramRun& run, const std::string& name) {
  if (run.kept == nullptr) { return {nullptr, tr("Executed again, the program did not come to this launch.")}; }
  return launchDataOf(*run.kept, name);
}

FetchedLaunchData launchDataOf(const running::KeptLaunch& kept, const std::string& name) {
  for (const running::BoundPointer& pointer : kept.pointers) {
    const auto same = [&](const running::BoundPointer& other) {
      return &other != &pointer && other.place && pointer.place && other.place->allocation == pointer.place->allocation;
    };
    if (std::ranges::any_of(kept.pointers, same)) {
      return {nullptr,
              tr("Two parameters of this launch point into one array, which is not shown with its own data yet.")};
    }
    if (!pointer.place || pointer.place->offset != 0) {
      return {nullptr, trf("{} does not point to the beginning of an array, so this launch is not shown with its own "
                           "data yet.",
                           pointer.parameter)};
    }
  }
  LaunchData data;
  data.launch = name;
  std::size_t bytes = 0;
  for (const ObjectId array : kept.arrays) {
    bytes += kept.launch.arrays[array].bytes.size();
    if (bytes > kMaxBytes) {
      return {nullptr, tr("The arrays of this launch are too large to be shown with their data.")};
    }
    const std::string& object = kept.program->objects[array].name;
    data.arrays[object] = kept.launch.arrays[array].bytes;
    if (auto words = running::unwrittenWords(data.arrays[object])) { data.undefined[object] = std::move(words); }
  }
  return {std::make_shared<const LaunchData>(std::move(data)), {}};
}

// As for the program itself: nothing else has to wait for it.
LaunchDataRunner::LaunchDataRunner(work::Pool& pool, ProgramRunner::Execution execution)
    : Worker(pool, {work::Priority::Foreground, work::Cores::None},
             [execution = std::move(execution)](const WantedLaunch& wanted, const std::stop_token& stop) {
               return fetch(wanted, execution, stop);
             }) {}

}  // namespace haloscope
