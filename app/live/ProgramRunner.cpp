#include "live/ProgramRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "judging/KernelVerdicts.h"
#include "live/FirstLaunches.h"
#include "running/AllocationNames.h"
#include "running/OfferedSizes.h"
#include "running/ProgramFiles.h"

namespace haloscope {

namespace {

bool hasMain(const running::ProgramFiles& files) { return running::definesMain(files.program); }

struct ReadProgram {
  running::ProgramFiles files;
  std::string title;
  std::string missing;  ///< why there is none
  bool ofFolder = false;
};

/// The program of the folder, if it has one; otherwise the file's.
ReadProgram programOf(const ProgramRunner::Request& request) {
  ReadProgram program;
  if (!request.folder.empty()) {
    program.title = request.folder.filename().string();
    try {
      program.files = running::readProgram(request.folder, request.texts);
      program.ofFolder = hasMain(program.files);
      if (program.ofFolder) { return program; }
      program.missing = fmt::format("No file of {} has a main(): there is no program to execute.", program.title);
    } catch (const std::exception& problem) { program.missing = fmt::format("{}.", problem.what()); }
    if (request.file.empty()) { return program; }
  }
  program.title = request.file.filename().string();
  program.missing.clear();
  program.files = running::readProgram(request.file, request.texts);
  if (!hasMain(program.files)) {
    program.missing = fmt::format("{} has no main(): there is no program to execute.", program.title);
  }
  return program;
}

}  // namespace

// A program may take long and mostly waits for another process: nothing else has to wait for it.
ProgramRunner::ProgramRunner(work::Pool& pool, Execution execution)
    : execution_(std::move(execution)),
      worker_(pool, {work::Priority::Background, work::Cores::None},
              [this](const Job& job, const std::stop_token& stop) { return execute(job, stop); }) {}

void ProgramRunner::request(Request request) {
  stopping_ = {};
  progress_ = std::make_shared<Progress>();
  worker_.request({std::move(request), stopping_.get_token(), progress_});
}

running::RunProgress ProgramRunner::progress() const {
  if (progress_ == nullptr) { return {}; }
  const std::scoped_lock lock(progress_->mutex);
  return progress_->now;
}

ProgramRunner::Result ProgramRunner::execute(const Job& job, const std::stop_token& replaced) const {
  try {
    ReadProgram program = programOf(job.request);
    if (!program.missing.empty()) { return {.missing = std::move(program.missing)}; }
    program.files.program.defines = job.request.defines;
    std::stop_source stop;
    const std::stop_callback byUser(job.stopping, [&] { stop.request_stop(); });
    const std::stop_callback byRequest(replaced, [&] { stop.request_stop(); });
    running::RunOptions options = execution_.options(job.request.gpu);
    options.stop = stop.get_token();
    options.compiled = job.request.compiled;
    options.arguments = job.request.arguments;
    options.files = job.request.files;
    options.progress = [&](const running::RunProgress& progress) {
      const std::scoped_lock lock(job.progress->mutex);
      job.progress->now = progress;
    };
    FirstLaunches first;
    options.beforeLaunch = [&](const running::ProgramLaunch& launch, const running::LaunchedKernel&,
                               const running::BoundLaunch& bound) { first.begin(launch, bound); };
    ShownProgram executed;
    executed.title = std::move(program.title);
    executed.files = std::move(program.files);
    executed.device = options.device;
    executed.arguments = options.arguments;
    executed.opened = options.files;
    options.comparesOwnFunctions = true;
    judging::ExecutedProgram whole{.files = std::move(executed.files), .run = {}};
    whole.run = execution_.run(whole.files.program, options);
    whole.texts = running::changedTexts(whole.files, running::withSizes(whole.files.program, whole.run.sizes));
    judging::judge(whole, options.stop);
    executed.files = std::move(whole.files);
    executed.run = std::move(whole.run);
    const bool failed = executed.run.end == running::ProgramEnd::Failed && executed.run.events.empty();
    if (executed.run.end == running::ProgramEnd::NoMain || failed) { return {.missing = executed.run.message}; }
    executed.names = running::allocationNames(executed.run, executed.files.program);
    executed.faults = faultsOf(executed.run);
    executed.firstData = std::move(first).of(executed.run);
    executed.timeline = ProgramTimeline(executed.run, executed.names);
    return {.executed = std::make_shared<const ShownProgram>(std::move(executed)), .ofFolder = program.ofFolder};
  } catch (const std::exception& problem) { return {.missing = fmt::format("{}.", problem.what())}; }
}

}  // namespace haloscope
