#include "live/MakeRunner.h"

#include <optional>
#include <utility>

#include "actions/MakeActions.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

void take(AppState& state, std::optional<JudgedSolution> judged) {
  if (judged) { receiveVerdict(state, judged->solution, std::move(judged->made)); }
}

}  // namespace

void MakeRunner::ask(const AppState& state) {
  if (state.make.asked.task.empty()) { return; }
  if (worker_ == nullptr) {
    worker_ = std::make_unique<Worker>(pool_, work::Demand{work::Priority::Foreground, work::Cores::All},
                                       [variants = state.catalogue, tasks = state.make.tasks](
                                           const AskedSolution& asked, const std::stop_token& stop) {
                                         const making::MakeTask& task = *making::findTask(tasks, asked.solution.task);
                                         return JudgedSolution{
                                             asked.solution, making::judge(task, asked.solution.text, variants, stop)};
                                       });
  }
  worker_->follow({state.make.asked, language()});
}

void MakeRunner::update(AppState& state) {
  ask(state);
  if (worker_ != nullptr) { take(state, worker_->poll()); }
}

void MakeRunner::settle(AppState& state) {
  ask(state);
  if (worker_ != nullptr) { take(state, worker_->wait()); }
}

}  // namespace haloscope
