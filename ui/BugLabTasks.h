#pragma once

#include "AppState.h"

/// What the bug lab does with the state of the window.
namespace haloscope::ui {

/// The task whose kernel is chosen; nullptr for any other kernel.
[[nodiscard]] const BugTask* labTask(const AppState& state);
/// Opens the task's faulty kernel.
void openLabTask(AppState& state, const BugTask& task);
/// True while the findings would give the answer away.
[[nodiscard]] bool findingsHidden(const AppState& state);
/// Marks the chosen task as solved when its mended text has been checked and nothing was found. Once a frame.
void noteSolved(AppState& state);

}  // namespace haloscope::ui
