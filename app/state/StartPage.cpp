#include "state/StartPage.h"

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "state/AppState.h"
#include "state/BugLabTasks.h"
#include "state/ViewActions.h"

namespace haloscope {

void showStartPage(AppState& state) {
  state.start.shown = true;
  state.start.picture = state.choice.kernel;
  state.playback.playing = false;
}

void leaveStartPage(AppState& state) {
  StartPage& start = state.start;
  if (!std::exchange(start.shown, false)) { return; }
  const std::string first = std::exchange(start.firstVariant, {});
  if (first.empty()) { return; }
  if (state.choice.kernel == start.picture) { state.choice = {first, {}, std::nullopt}; }
}

void followStartPage(AppState& state) {
  if (state.start.shown && state.choice.kernel != state.start.picture) { leaveStartPage(state); }
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
  const auto& tasks = state.bugLab.tasks();
  const auto open = std::ranges::find_if(tasks, [&](const BugTask& task) {
    const auto progress = state.labProgress.find(task.id);
    return progress == state.labProgress.end() || !progress->second.solved;
  });
  if (open != tasks.end()) { openLabTask(state, *open); }
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
  if (item.kernel.empty()) {
    state.fileRequests.open = item.file;
  } else {
    state.choice = {item.kernel, item.bindings, std::nullopt};
  }
}

RecentItem recentItem(const AppState& state) {
  const KernelFile* file = state.catalogue.find(state.choice.kernel);
  if (state.start.shown || file == nullptr || labTask(state) != nullptr) { return {}; }
  const Workspace workspace = state.view.tabs.workspace();
  if (file->isOpened()) { return {{}, file->path, {}, workspace}; }
  return {file->id, {}, state.choice.bindings, workspace};
}

void noteRecent(AppState& state) {
  const RecentItem item = recentItem(state);
  std::vector<RecentItem>& items = state.start.recent;
  if ((item.kernel.empty() && item.file.empty()) || (!items.empty() && items.front() == item)) { return; }
  std::erase_if(items, [&](const RecentItem& one) { return one.kernel == item.kernel && one.file == item.file; });
  items.insert(items.begin(), item);
  if (items.size() > kMostRecent) { items.pop_back(); }
}

}  // namespace haloscope
