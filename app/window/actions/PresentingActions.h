#pragma once

#include <vector>

#include "state/AppState.h"

/// What keys do in presentation mode.
namespace haloscope {

/// The panels that fill the screen: those that were chosen, else the one that the workspace is about.
[[nodiscard]] std::vector<Tab> hallOf(const AppState& state);

void togglePresenting(AppState& state);
void toggleSpotlight(AppState& state);
void toggleMarking(AppState& state);
void toggleFrozen(AppState& state);
void toggleNotes(AppState& state);
void toggleNotesWindow(AppState& state);
/// Whether the keys of a clicker go to scenes.
[[nodiscard]] bool clickerShowsScenes(const AppState& state);

/// Once a frame: time passes, and what was drawn by hand vanishes with the next step. `moved`: so did the pointer.
void followPresenting(AppState& state, double seconds, bool moved);
/// The bar with the scene's title is on screen.
[[nodiscard]] bool showsBar(const Presenting& presenting);

}  // namespace haloscope
