#pragma once

#include <cstddef>
#include <string>

#include "state/AppState.h"

/// How variants are put side by side, stepped through and left again. All of it changes the state
/// alone; the App makes what is missing.
namespace haloscope {

/// The chosen variant and, if there were some, those compared with it the last time; without any the panel has the list
/// of variants beside it. Nothing happens while they are side by side already, or without a variant.
void startComparison(AppState& state);
/// Back to the variant, the step, the camera, the selection and the workspace from before.
void leaveComparison(AppState& state);
/// The variant in focus stays chosen, alone.
void endComparison(AppState& state);
/// A compared variant's sizes, tunables and data: those of the one in focus, as far as it has them.
void takeSettings(experiment::Choice& choice, const KernelFile& file, const experiment::Experiment& focused);
/// Adds a variant of the catalogue at the end, unless there are four, or takes it away. The last one stays.
void toggleCompared(AppState& state, const std::string& kernel);
[[nodiscard]] bool isCompared(const AppState& state, const std::string& kernel);
/// All other panels are about this variant from now on.
void focusVariant(AppState& state, std::size_t index);
void lineUpBy(AppState& state, LineUp lineUp);

/// For a key each.
void toggleComparison(AppState& state);
void focusNextVariant(AppState& state);  ///< round and round
void toggleLineUp(AppState& state);      ///< by barrier interval or by cell

/// All variants go to a tick of their common time.
void goToTick(AppState& state, std::size_t tick);
/// The cursor of the variant in focus goes to where the common time has come.
void followTime(AppState& state);

}  // namespace haloscope
