#pragma once

#include <string>

#include "state/AppState.h"

/// What the window does with tasks in which a kernel is written.
namespace haloscope {

/// The task whose kernel is chosen; nullptr for any other kernel.
[[nodiscard]] const making::MakeTask* makeTask(const AppState& state);
/// Chooses the task's kernel, as far as it is written.
void openMakeTask(AppState& state, const making::MakeTask& task);
/// The text that was written for the task so far.
[[nodiscard]] std::string solutionText(const AppState& state, const making::MakeTask& task);

/// Has the chosen task's kernel judged. If it turns out wrong, the window goes to where that shows.
void checkSolution(AppState& state);
/// The verdict on the chosen task's kernel; nullptr while there is none, or while one comes.
[[nodiscard]] const making::MadeKernel* shownVerdict(const AppState& state);
/// Whether the text was changed since.
[[nodiscard]] bool verdictIsOld(const AppState& state);
/// Takes a verdict, and keeps what was reached with the progress.
void receiveVerdict(AppState& state, const Solution& judged, making::MadeKernel made);

/// The next level of help for the chosen task.
void showMoreHelp(AppState& state);
/// Has the window go to where the kernel on screen is wrong: the sizes and data that show it, then block, thread and
/// step of its gravest finding.
void showWrongPlace(AppState& state);
/// Goes there once that is executed and checked. Once a frame.
void followVerdict(AppState& state);
/// Shows the climb with the kernel on screen in it.
void showOnClimb(AppState& state);

}  // namespace haloscope
