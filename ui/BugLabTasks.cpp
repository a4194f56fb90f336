#include "ui/BugLabTasks.h"

#include <string_view>

namespace haloscope::ui {

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
  if (task == nullptr || state.report == nullptr || state.experiment == nullptr || state.experiment->fault) { return; }
  const KernelFile& file = state.experiment->file;
  const bool mended =
      file.id == task->faulty.id && file.text != task->faulty.text && state.experiment->choice.withoutBarriers.empty();
  if (mended && state.report->findings.empty() && state.report->matchesReference.value_or(true)) {
    state.labProgress[task->id].solved = true;
  }
}

}  // namespace haloscope::ui
