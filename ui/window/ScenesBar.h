#pragma once

#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The width that the list of scenes takes from the panels; 0: it is not on screen.
[[nodiscard]] float scenesWidth(const AppState& state, const Theme& theme);

/// The scenes of the session at the left of the window, and the words of the current one.
void drawScenes(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max);

/// Two lists of panels: the one that fills the screen when the scene is presented, and a second one beside it. True if
/// one was chosen.
bool chooseHall(std::vector<Tab>& hall, const std::vector<Tab>& otherwise);

}  // namespace haloscope::ui
