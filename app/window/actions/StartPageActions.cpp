#include "actions/StartPageActions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/MakeActions.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "state/AppState.h"

namespace haloscope {

void showStartPage(AppState& state) {
  state.start.shown = true;
  state.start.picture = state.choice.kernel;
  state.playback.playing = false;
}

void leaveStartPage(AppState& state) {
  if (std::exchange(state.start.shown, false)) { state.playback.playing = false; }
}

namespace {

/// Goes to the block and the step at which a recent item was left.
void followAwaited(AppState& state) {
  std::optional<RecentItem>& awaited = state.start.awaited;
  if (!awaited || state.experiment == nullptr || state.cursor.empty()) { return; }
  const KernelFile& file = state.experiment->file;
  const bool there = awaited->kernel.empty() ? file.path == awaited->file : file.id == awaited->kernel;
  if (!there) {
    // A file takes a while to open; of a variant another one was chosen since.
    if (!awaited->kernel.empty() && state.choice.kernel != awaited->kernel) { awaited.reset(); }
    return;
  }
  if (const auto block = std::exchange(awaited->block, std::nullopt)) {
    if (state.choice.block != block) {
      state.choice.block = block;
      return;
    }
  }
  if (!(state.experiment->choice == state.choice)) { return; }
  state.cursor.goTo(std::min(awaited->step, state.cursor.recording().steps.size()));
  awaited.reset();
}

}  // namespace

void followStartPage(AppState& state) {
  if (state.start.shown && state.choice.kernel != state.start.picture) { leaveStartPage(state); }
  followAwaited(state);
}

void startWalking(AppState& state) {
  leaveStartPage(state);
  state.view.tabs.enter(Workspace::Walk);
}

void startOpening(AppState& state) { openFileDialog(state); }

void startBugLab(AppState& state) {
  leaveStartPage(state);
  state.view.tabs.enter(Workspace::Walk);
  state.view.tabs.bringToFront(Tab::BugLab);
  state.view.openLab = true;
  const auto& tasks = state.bugLab.tasks();
  const auto open = std::ranges::find_if(tasks, [&](const BugTask& task) {
    const auto progress = state.labProgress.find(task.id);
    return progress == state.labProgress.end() || !progress->second.solved;
  });
  if (open != tasks.end()) { openLabTask(state, *open); }
}

void startPlaying(AppState& state) {
  leaveStartPage(state);
  state.view.tabs.enter(Workspace::Play);
}

void startRecent(AppState& state, std::size_t index) {
  if (index >= state.start.recent.size()) { return; }
  const RecentItem item = state.start.recent[index];
  if (!item.kernel.empty() && state.catalogue.find(item.kernel) == nullptr) {
    state.problem = Problem{trf("There is no kernel {} any more.", item.kernel), {}, {}};
    state.start.recent.erase(state.start.recent.begin() + static_cast<std::ptrdiff_t>(index));
    return;
  }
  leaveStartPage(state);
  state.view.tabs.enter(item.workspace);
  if (!item.lesson.empty() && state.lesson.course != nullptr && state.lesson.course->find(item.lesson) != nullptr) {
    state.lesson.shown = state.lesson.last = item.lesson;
    state.view.tabs.bringToFront(Tab::Lesson);
  }
  if (!isSession(item.file)) { state.start.awaited = item; }  // its scenes have their own places
  if (item.kernel.empty()) {
    state.fileRequests.open = item.file;
  } else {
    state.choice = {item.kernel, item.bindings, item.block};
  }
}

RecentItem recentItem(const AppState& state) {
  const KernelFile* file = state.catalogue.find(state.choice.kernel);
  if (state.start.shown || file == nullptr || labTask(state) != nullptr || makeTask(state) != nullptr) { return {}; }
  RecentItem item{.kernel = {}, .file = {}, .workspace = state.view.tabs.workspace(), .block = state.choice.block};
  if (!state.session.path.empty()) { return {.kernel = {}, .file = state.session.path, .workspace = item.workspace}; }
  if (file->isOpened()) {
    item.file = file->path;
  } else {
    item.kernel = file->id;
    item.bindings = state.choice.bindings;
  }
  if (!state.cursor.empty()) { item.step = state.cursor.position(); }
  if (state.view.tabs.inFront(Tab::Lesson)) { item.lesson = state.lesson.shown; }
  return item;
}

void noteRecent(AppState& state) {
  // What is on its way has no step yet; what plays has a new one in each frame.
  if (state.start.awaited || state.computing || state.playback.playing) { return; }
  const RecentItem item = recentItem(state);
  std::vector<RecentItem>& items = state.start.recent;
  if ((item.kernel.empty() && item.file.empty()) || (!items.empty() && items.front() == item)) { return; }
  std::erase_if(items, [&](const RecentItem& one) { return one.kernel == item.kernel && one.file == item.file; });
  items.insert(items.begin(), item);
  if (items.size() > kMostRecent) { items.pop_back(); }
}

}  // namespace haloscope
