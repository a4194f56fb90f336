#pragma once

#include "state/AppState.h"

namespace haloscope::ui {

/// Performs what the keys pressed in this frame ask for, wherever the keyboard's focus is; but a text field keeps what
/// it can type, an open list its arrows, and a slider that is being changed by keys its arrows too. Once a frame,
/// before the panels are drawn.
void handleKeyboard(AppState& state);

}  // namespace haloscope::ui
