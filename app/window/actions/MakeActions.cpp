#include "actions/MakeActions.h"

#include <algorithm>
#include <utility>

#include "actions/Findings.h"

namespace haloscope {

using making::MakeTask;

const MakeTask* makeTask(const AppState& state) {
  const auto& tasks = state.make.tasks;
  const auto found =
      std::ranges::find_if(tasks, [&](const MakeTask& task) { return task.skeleton.id == state.choice.kernel; });
  return found == tasks.end() ? nullptr : &*found;
}

void openMakeTask(AppState& state, const MakeTask& task) {
  if (state.catalogue.find(task.skeleton.id) == nullptr) { state.catalogue.put(task.skeleton); }
  state.choice = {.kernel = task.skeleton.id};
}

std::string solutionText(const AppState& state, const MakeTask& task) {
  const auto copy = state.copies.find(task.skeleton.id);
  return copy == state.copies.end() ? task.skeleton.text : copy->second.text;
}

void checkSolution(AppState& state) {
  const MakeTask* task = makeTask(state);
  if (task == nullptr) { return; }
  state.make.asked = {task->id, solutionText(state, *task)};
  state.make.judged = {};
  state.make.made = nullptr;
}

const making::MadeKernel* shownVerdict(const AppState& state) {
  const MakeTask* task = makeTask(state);
  return task != nullptr && state.make.made != nullptr && state.make.judged.task == task->id ? state.make.made.get()
                                                                                             : nullptr;
}

bool verdictIsOld(const AppState& state) {
  const MakeTask* task = makeTask(state);
  return task != nullptr && state.make.judged.text != solutionText(state, *task);
}

void receiveVerdict(AppState& state, const Solution& judged, making::MadeKernel made) {
  if (judged != state.make.asked) { return; }
  MakeProgress& progress = state.make.progress[judged.task];
  progress.right = progress.right || making::isRight(made.outcome);
  progress.solved = progress.solved || made.outcome == making::Outcome::Solved;
  state.make.judged = judged;
  state.make.made = std::make_shared<const making::MadeKernel>(std::move(made));
  showWrongPlace(state);
}

void showMoreHelp(AppState& state) {
  const MakeTask* task = makeTask(state);
  if (task == nullptr) { return; }
  MakeHelp& help = state.make.progress[task->id].help;
  if (help != MakeHelp::Hints) { help = static_cast<MakeHelp>(static_cast<int>(help) + 1); }
}

void showWrongPlace(AppState& state) {
  const making::MadeKernel* made = shownVerdict(state);
  if (made == nullptr || making::isRight(made->outcome)) { return; }
  state.view.tabs.bringToFront(Tab::Block);
  state.choice.bindings = made->bindings;
  state.choice.data = made->data;
  state.make.goesToWrong = true;
}

void followVerdict(AppState& state) {
  if (!state.make.goesToWrong || state.computing || state.checking) { return; }
  if (makeTask(state) == nullptr || state.problem) {
    state.make.goesToWrong = false;
    return;
  }
  if (state.experiment == nullptr || state.experiment->choice != state.choice || state.report == nullptr) { return; }
  state.make.goesToWrong = false;
  const auto all = findings(state);
  const auto gravest = std::ranges::min_element(all, {}, [](const faults::Finding& one) { return one.kind; });
  if (gravest != all.end()) { chooseFinding(state, static_cast<std::size_t>(gravest - all.begin())); }
}

void showOnClimb(AppState& state) { state.view.tabs.bringToFront(Tab::Climb); }

}  // namespace haloscope
