#include "live/ExerciseRunner.h"

#include <optional>
#include <utility>

#include "actions/ExerciseActions.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

void take(AppState& state, std::optional<ExerciseAnswers> answers) {
  if (!answers || answers->asked.exercise != &shownExercise(state)) { return; }
  ExerciseView& view = state.exercise;
  view.problem = std::move(answers->problem);
  if (answers->worked == nullptr) { return; }
  view.worked = std::move(answers->worked);
  if (state.view.tabs.inFront(Tab::Exercises)) { showExerciseKernel(state); }
}

}  // namespace

void ExerciseRunner::ask(const AppState& state) {
  if (!state.view.tabs.inFront(Tab::Exercises)) { return; }
  if (worker_ == nullptr) {
    worker_ = std::make_unique<Worker>(pool_, work::Demand{work::Priority::Foreground, work::Cores::All},
                                       [variants = state.catalogue, own = state.exercise.kernels](
                                           const TypedExercise& asked, const std::stop_token& stop) {
                                         ExerciseAnswers answers{asked, nullptr, {}};
                                         try {
                                           answers.worked =
                                               std::make_shared<const exercises::Worked>(exercises::workOut(
                                                   *asked.exercise, asked.typed, variants, own, nullptr, stop));
                                         } catch (const UserError& error) { answers.problem = error.message(); }
                                         return answers;
                                       });
  }
  worker_->follow({&shownExercise(state), state.exercise.typed, language()});
}

void ExerciseRunner::update(AppState& state) {
  ask(state);
  if (worker_ != nullptr) { take(state, worker_->poll()); }
}

void ExerciseRunner::settle(AppState& state) {
  ask(state);
  if (worker_ != nullptr) { take(state, worker_->wait()); }
}

}  // namespace haloscope
