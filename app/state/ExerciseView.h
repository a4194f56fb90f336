#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "exercises/Worked.h"
#include "program/Catalogue.h"

namespace haloscope {

struct AppState;

/// The exercise that is shown, what was typed, and its answers, which the App fills in while the panel is in front.
struct ExerciseView {
  Catalogue kernels;                                ///< of the exercises themselves
  std::string id;                                   ///< empty: the first
  exercises::Typed typed;                           ///< in the fields; empty: as the exercise begins
  std::map<std::string, std::string> predictions;   ///< by part
  std::set<std::string> shown;                      ///< parts whose answers are shown
  std::uint64_t draws = 0;                          ///< how often other numbers were drawn
  std::shared_ptr<const exercises::Worked> worked;  ///< the last good one
  std::string problem;                              ///< of what is typed now, one sentence; empty: none
};

/// The chosen exercise.
[[nodiscard]] const exercises::Exercise& shownExercise(const AppState& state);
/// Whether `worked` answers what is typed now: it does not while that is being executed, or where it has a problem.
[[nodiscard]] bool answersTyped(const AppState& state);
/// Shows an exercise with the numbers that it begins with. Throws InputError for an unknown one.
void chooseExercise(AppState& state, const std::string& id);
/// A field was typed into: answers are hidden again.
void typeNumber(ExerciseView& view, const std::string& field, std::string text);
/// Other numbers for the same exercise.
void drawOtherNumbers(AppState& state);
/// Chooses the kernel that executed the exercise, with its numbers. Nothing if none did.
void showExerciseKernel(AppState& state);

}  // namespace haloscope
