#include "actions/BugLabTasks.h"

#include <string_view>

#include "language/Text.h"

namespace haloscope {

namespace {

constexpr std::string_view kFaulty = "/faulty";

}  // namespace

const BugTask* labTask(const AppState& state) {
  const std::string& id = state.choice.kernel;
  return id.ends_with(kFaulty) ? state.bugLab.find(id.substr(0, id.size() - kFaulty.size())) : nullptr;
}

void openLabTask(AppState& state, const BugTask& task) {
  if (state.catalogue.find(task.faulty.id) == nullptr) { state.catalogue.put(task.faulty); }
  state.choice = {task.faulty.id, {}, std::nullopt};
}

bool findingsHidden(const AppState& state) {
  const BugTask* task = labTask(state);
  if (task == nullptr) { return false; }
  const auto progress = state.labProgress.find(task->id);
  return progress == state.labProgress.end() || !(progress->second.revealed || progress->second.solved);
}

void noteSolved(AppState& state) {
  const BugTask* task = labTask(state);
  const bool judged = task != nullptr && state.report != nullptr && state.experiment != nullptr &&
                      state.experiment->file.id == task->faulty.id && state.experiment->choice.withoutBarriers.empty();
  if (judged && state.report->lab && state.report->lab->solved) { state.labProgress[task->id].solved = true; }
}

std::string labSentence(const AppState& state) {
  const BugTask* task = labTask(state);
  if (task == nullptr || state.computing) { return {}; }
  if (state.problem) { return trf("The kernel cannot be run: {}", state.problem->message); }
  const bool checked = state.report != nullptr && state.experiment != nullptr && !state.checking &&
                       state.experiment->file.id == task->faulty.id;
  return checked && state.report->lab ? state.report->lab->sentence : std::string();
}

}  // namespace haloscope
