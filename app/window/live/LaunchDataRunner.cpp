#include "live/LaunchDataRunner.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope {

namespace {

running::FetchedLaunchData fetch(const WantedLaunch& wanted, const ProgramRunner::Execution& execution,
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

// As for the program itself: nothing else has to wait for it.
LaunchDataRunner::LaunchDataRunner(work::Pool& pool, ProgramRunner::Execution execution)
    : Worker(pool, {work::Priority::Foreground, work::Cores::None},
             [execution = std::move(execution)](const WantedLaunch& wanted, const std::stop_token& stop) {
               return fetch(wanted, execution, stop);
             }) {}

}  // namespace haloscope
