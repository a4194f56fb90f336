#include "live/ProgramRunner.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "judging/KernelVerdicts.h"
#include "language/Text.h"
#include "running/AllocationNames.h"
#include "running/FirstLaunches.h"
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
      program.missing = trf("No file of {} has a main(): there is no program to execute.", program.title);
    } catch (const std::exception& problem) { program.missing = fmt::format("{}.", problem.what()); }
    if (request.file.empty()) { return program; }
  }
  program.title = request.file.filename().string();
  program.missing.clear();
  program.files = running::readProgram(request.file, request.texts);
  if (!hasMain(program.files)) {
    program.missing = trf("{} has no main(): there is no program to execute.", program.title);
  }
  return program;
}

}  // namespace

// A program may take long and mostly waits for another process: nothing else has to wait for it.
ProgramRunner::ProgramRunner(work::Pool& pool, Execution execution)
    : execution_(std::move(execution)),
      worker_(pool, {work::Priority::Background, work::Cores::None},
              [this](const Job& job, work::Delivery<Result>& delivery) { execute(job, delivery); }) {}

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

void ProgramRunner::execute(const Job& job, work::Delivery<Result>& delivery) const {
  const auto publishMissing = [&](std::string why) { delivery.publish({.missing = std::move(why)}); };
  try {
    ReadProgram program = programOf(job.request);
    if (!program.missing.empty()) { return publishMissing(std::move(program.missing)); }
    program.files.program.defines = job.request.defines;
    std::stop_source stop;
    const std::stop_callback byUser(job.stopping, [&] { stop.request_stop(); });
    const std::stop_callback byRequest(delivery.stop(), [&] { stop.request_stop(); });
    running::RunOptions options = execution_.options(job.request.gpu);
    options.stop = stop.get_token();
    options.compiled = job.request.compiled;
    options.arguments = job.request.arguments;
    options.files = job.request.files;
    options.progress = [&](const running::RunProgress& progress) {
      const std::scoped_lock lock(job.progress->mutex);
      job.progress->now = progress;
    };
    running::FirstLaunches first;
    options.beforeLaunch = [&](const running::ProgramLaunch& launch, const running::LaunchedKernel&,
                               const running::BoundLaunch& bound) { first.begin(launch, bound); };
    options.comparesOwnFunctions = true;
    judging::ExecutedProgram whole{.files = std::move(program.files), .run = {}};
    whole.options = options;
    whole.run = execution_.run(whole.files, options);
    const bool failed = whole.run.end == running::ProgramEnd::Failed && whole.run.events.empty();
    if (whole.run.end == running::ProgramEnd::NoMain || failed) { return publishMissing(whole.run.message); }
    ShownProgram executed{.title = std::move(program.title),
                          .names = running::allocationNames(whole.run, whole.files.program),
                          .device = options.device,
                          .arguments = options.arguments,
                          .opened = options.files};
    executed.timeline = ProgramTimeline(whole.run, executed.names);
    executed.firstData = std::move(first).of(whole.run);
    const auto publish = [&](ShownProgram shown, bool judged) {
      shown.files = whole.files;
      shown.run = whole.run;
      shown.faults = faultsOf(shown.run);
      shown.judged = judged;
      delivery.publish(
          {.executed = std::make_shared<const ShownProgram>(std::move(shown)), .ofFolder = program.ofFolder});
    };
    // Comparisons may take many times as long as the program.
    publish(executed, false);
    whole.texts = running::changedTexts(whole.files, running::withSizes(whole.files.program, whole.run.sizes));
    try {
      judging::judge(whole, options.stop);
    } catch (const std::exception& problem) {  // what was executed stays on screen
      whole.run.sizesText +=
          trf("{}Results were not compared: {}.", whole.run.sizesText.empty() ? "" : " ", problem.what());
    }
    publish(std::move(executed), true);
  } catch (const std::exception& problem) { publishMissing(fmt::format("{}.", problem.what())); }
}

}  // namespace haloscope
