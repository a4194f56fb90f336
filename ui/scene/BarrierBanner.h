#pragma once

#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// What came of taking barriers out: how many outputs of the block are wrong, or in which order of the warps they are.
namespace haloscope::ui {

/// The sentence that the banner says; empty while no barrier is out. Of a chosen order that hides the race, the second
/// sentence names one that shows it.
[[nodiscard]] std::string barrierSentence(const AppState& state);
/// Chooses the order of the warps in which an output is wrong, if the chosen one hides it.
void chooseRevealingOrder(AppState& state);

/// A line or two above the scene; nothing while no barrier is out.
void drawBarrierBanner(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
