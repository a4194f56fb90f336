#pragma once

#include "state/AppState.h"

namespace haloscope::ui {

/// The button that opens the menu of everything that has no widget of its own in the window.
void drawMainMenu(AppState& state);

}  // namespace haloscope::ui
