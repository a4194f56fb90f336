#include "actions/ExerciseActions.h"

#include <utility>

#include "state/AppState.h"

namespace haloscope {

const exercises::Exercise& shownExercise(const AppState& state) {
  const std::string& id = state.exercise.id;
  return id.empty() ? exercises::exercises().front() : exercises::exercise(id);
}

bool answersTyped(const AppState& state) {
  const ExerciseView& view = state.exercise;
  const exercises::Exercise& exercise = shownExercise(state);
  if (view.worked == nullptr || view.worked->exercise != &exercise) { return false; }
  exercises::Typed typed = view.typed;
  typed.merge(exercises::beginning(exercise));
  return view.worked->typed == typed;
}

void chooseExercise(AppState& state, const std::string& id) {
  const exercises::Exercise& chosen = exercises::exercise(id);
  ExerciseView& view = state.exercise;
  if (view.id == id) { return; }
  view.id = id;
  view.typed = exercises::beginning(chosen);
  view.predictions.clear();
  view.shown.clear();
  view.worked = nullptr;
  view.problem.clear();
}

void typeNumber(ExerciseView& view, const std::string& field, std::string text) {
  view.typed[field] = std::move(text);
  view.shown.clear();
}

void drawOtherNumbers(AppState& state) {
  ExerciseView& view = state.exercise;
  const exercises::Exercise& exercise = shownExercise(state);
  // Small ranges give the same numbers twice now and then.
  constexpr int kTries = 20;
  exercises::Typed typed = view.typed;
  for (int attempt = 0; attempt < kTries && typed == view.typed; ++attempt) {
    typed = exercises::drawn(exercise, ++view.draws);
  }
  view.typed = std::move(typed);
  view.predictions.clear();
  view.shown.clear();
}

void showExerciseKernel(AppState& state) {
  const std::shared_ptr<const exercises::Worked> worked = state.exercise.worked;
  if (worked == nullptr || worked->choice.kernel.empty()) { return; }
  if (state.catalogue.find(worked->choice.kernel) == nullptr) {
    state.catalogue.put(state.exercise.kernels.at(worked->choice.kernel));
  }
  state.choice = worked->choice;
}

}  // namespace haloscope
