#pragma once

#include <string>

#include "exercises/Worked.h"
#include "state/ExerciseView.h"

/// The exercises of the window.
namespace haloscope {

struct AppState;

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
