#pragma once

#include <memory>
#include <string>

#include "exercises/Worked.h"
#include "language/Language.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// An exercise and the numbers that were typed for it.
struct TypedExercise {
  const exercises::Exercise* exercise = nullptr;
  exercises::Typed typed;
  Language language = Language::English;  ///< of the notes and problems of its answers
  bool operator==(const TypedExercise&) const = default;
};

/// Its answers, or what is wrong with the numbers.
struct ExerciseAnswers {
  TypedExercise asked;
  std::shared_ptr<const exercises::Worked> worked;
  std::string problem;
};

/// Works out the exercise that is shown, in the background.
class ExerciseRunner {
 public:
  explicit ExerciseRunner(work::Pool& pool) : pool_(pool) {}

  /// Asks for the answers while the panel is in front, and puts them into the state. Once a frame.
  void update(AppState& state);
  /// The same, waiting for them.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return worker_ != nullptr && worker_->busy(); }

 private:
  using Worker = work::Worker<TypedExercise, ExerciseAnswers>;
  void ask(const AppState& state);

  work::Pool& pool_;
  std::unique_ptr<Worker> worker_;  ///< made when it is first needed: it keeps the kernels
};

}  // namespace haloscope
