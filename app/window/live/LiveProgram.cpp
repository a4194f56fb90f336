#include "live/LiveProgram.h"

#include <utility>

#include "actions/Choices.h"
#include "actions/ChosenGpu.h"
#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "program/ResourceFolder.h"

namespace haloscope {

namespace fs = std::filesystem;

LiveProgram::LiveProgram(work::Pool& pool, ProgramRunner::Execution execution)
    : possible_(static_cast<bool>(execution.run)), runner_(pool, execution), fetcher_(pool, std::move(execution)) {}

LiveProgram::Asked LiveProgram::wanted(const AppState& state) const {
  Asked wanted;
  wanted.language = language();

  const KernelFile* const file = chosenFile(state);
  const auto copy = state.copies.find(state.choice.kernel);
  if (file != nullptr && file->isOpened() && copy != state.copies.end()) { wanted.file = copy->second.path; }
  // A variant of the catalogue has no program: the last one stays.
  if (wanted.file.empty() && asked_) { wanted.file = asked_->file; }
  const fs::path& folder = state.program.folder;
  if (!folder.empty() && (wanted.file.empty() || isInside(wanted.file, folder))) { wanted.folder = folder; }
  // All files of a folder that is one program have the same.
  if (ofFolder_ && asked_ && wanted.folder == asked_->folder) { wanted.file = asked_->file; }
  for (const auto& [id, one] : state.copies) {
    if (one.opened && (one.path == wanted.file || one.changed())) { wanted.revisions[id] = one.revision; }
  }
  if (const auto launch = state.launches.find(state.choice.kernel); launch != state.launches.end()) {
    wanted.defines = launch->second.overrides.defines;
    wanted.arguments = launch->second.arguments;
  } else if (asked_) {
    wanted.defines = asked_->defines;
    wanted.arguments = asked_->arguments;
  }
  if (const measuring::GpuSpec* const gpu = chosenGpu(state)) { wanted.gpu = gpu->name; }
  return wanted;
}

void LiveProgram::update(AppState& state, bool typing) {
  ProgramView& view = state.program;
  receive(state);
  if (std::exchange(view.cancel, false)) { runner_.stop(); }
  // The kernel on screen comes first.
  if (!typing && !state.computing) { ask(state); }
  followLaunch(state);
  view.running = runner_.busy();
  view.current = !possible_ || !view.allowed || asked_ == wanted(state);
  if (!view.running) { return; }
  view.progress = runner_.progress();
  view.seconds = secondsSince(askedAt_);
}

void LiveProgram::ask(AppState& state) {
  ProgramView& view = state.program;
  Asked next = wanted(state);
  const bool nothing = next.file.empty() && next.folder.empty();
  if (nothing || asked_ == next) { return; }
  if (!possible_ || !view.allowed) {
    view.missing =
        view.allowed ? tr("Host code is not executed here.") : tr("Host code is not executed: --no-host was given.");
  } else {
    ProgramRunner::Request request{.file = next.file, .folder = next.folder, .compiled = compiled_};
    if (const measuring::GpuSpec* const gpu = chosenGpu(state)) { request.gpu = *gpu; }
    for (const auto& [id, revision] : next.revisions) {
      const WorkingCopy& copy = state.copies.at(id);
      request.texts[copy.path.lexically_normal()] = copy.text;
    }
    // What another program did is not to be taken for this one's.
    const bool another = !asked_ || asked_->folder != next.folder || (next.folder.empty() && asked_->file != next.file);
    if (another) {
      view.executed.reset();
      view.column.reset();
      view.place.reset();
      ++view.runs;
      ++view.revision;
    }
    if (another && asked_) {
      view.arguments.clear();
      view.files.clear();
    }
    if (!next.arguments.empty() || (asked_ && asked_->arguments != next.arguments)) { view.arguments = next.arguments; }
    request.arguments = view.arguments;
    request.files = view.files;
    request.defines = next.defines;
    runner_.request(std::move(request));
    view.comparing = false;
    askedAt_ = std::chrono::steady_clock::now();
  }
  asked_ = std::move(next);
}

void LiveProgram::receive(AppState& state) {
  while (std::optional<ProgramRunner::Result> result = runner_.poll()) { show(*std::move(result), state); }
}

void LiveProgram::show(ProgramRunner::Result result, AppState& state) {
  ProgramView& view = state.program;
  view.missing = std::move(result.missing);
  ofFolder_ = result.ofFolder;
  const std::shared_ptr<const ShownProgram> before = std::exchange(view.executed, std::move(result.executed));
  const bool judged = view.executed != nullptr && view.executed->judged;
  if (std::exchange(view.comparing, view.executed != nullptr && !judged) && judged) {
    // The same run, with verdicts: what is selected stays, and its data are known.
    if (followed_ && followed_->program == before) { followed_->program = view.executed; }
    showFaultyKernel(state);
    return;
  }
  if (view.executed != nullptr && view.executed->run.compiled != nullptr) { compiled_ = view.executed->run.compiled; }
  view.place.reset();
  ++view.runs;
  ++view.revision;
  if (view.executed == nullptr || (view.column && *view.column >= view.executed->timeline.columns.size())) {
    view.column.reset();
  }
}

void LiveProgram::followLaunch(AppState& state) {
  ProgramView& view = state.program;
  if (std::optional<running::FetchedLaunchData> fetched = fetcher_.poll()) {
    view.data = std::move(fetched->data);
    view.noData = std::move(fetched->missing);
    ++view.revision;
  }
  const std::optional<std::size_t> launch = shownLaunch(state);
  const bool executed = launch && view.executed->run.launches[*launch].executed;
  std::optional<WantedLaunch> wanted;
  if (executed) { wanted = WantedLaunch{view.executed, *launch}; }
  if (wanted != followed_) {
    followed_ = wanted;
    // What is on screen stays until something takes its place.
    view.data.reset();
    view.noData.clear();
    if (wanted && view.executed->firstData.contains(*launch)) {
      fetcher_.cancel();
      view.data = view.executed->firstData.at(*launch);
      ++view.revision;
    } else if (wanted) {
      if (const measuring::GpuSpec* const gpu = chosenGpu(state)) { wanted->gpu = *gpu; }
      fetcher_.request(*std::move(wanted));
    } else {
      fetcher_.cancel();
      ++view.revision;
    }
  }
  view.fetching = fetcher_.busy();
}

void LiveProgram::settle(AppState& state) {
  if (state.program.awaited) { ask(state); }
  update(state, false);
  if (!state.program.awaited && !state.view.tabs.inFront(Tab::Program)) { return; }
  runner_.finish();
  update(state, false);
  fetcher_.finish();
  update(state, false);
}

}  // namespace haloscope
