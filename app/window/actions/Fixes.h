#pragma once

#include "state/AppState.h"

/// Putting what mends a finding into the text on screen, and taking it back.
namespace haloscope {

/// The finding has a change of the text that was executed and found right, and the text is still the one that was
/// executed.
[[nodiscard]] bool canTryFix(const AppState& state, const faults::Finding& finding);
/// Changes the text on screen, which is executed at once. Its file stays as it is until it is saved.
void tryFix(AppState& state, const faults::Finding& finding);
/// The text on screen is one that tryFix() made, and was not saved.
[[nodiscard]] bool hasTriedFix(const AppState& state);
/// The text from before, if the text on screen is still the one that tryFix() made; else false.
bool takeBackFix(AppState& state);
/// Puts the fix that was taken back last into the text again, if neither text nor choice has changed since; else false.
bool tryFixAgain(AppState& state);
/// Nothing else was chosen since.
[[nodiscard]] bool fixWasLast(const AppState& state);

}  // namespace haloscope
