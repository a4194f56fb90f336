#pragma once

#include <string>

#include "state/AppState.h"

/// What the bug lab does with the state of the window.
namespace haloscope {

/// The task whose kernel is chosen; nullptr for any other kernel.
[[nodiscard]] const BugTask* labTask(const AppState& state);
/// Opens the task's faulty kernel.
void openLabTask(AppState& state, const BugTask& task);
/// True while the findings would give the answer away.
[[nodiscard]] bool findingsHidden(const AppState& state);
/// Marks the chosen task as solved when the verdict on its mended text says so. Once a frame.
void noteSolved(AppState& state);
/// What is still wrong with the text that was written for the chosen task, or that nothing is; empty before it was
/// changed, and while the checks run.
[[nodiscard]] std::string labSentence(const AppState& state);

}  // namespace haloscope
