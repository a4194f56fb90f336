#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Across the bottom: messages, and below them what was found or is not as usual.
void drawStatusBar(AppState& state, const Theme& theme);
/// There is nothing to say: the panels get the room.
[[nodiscard]] bool statusBarIsEmpty(const AppState& state, const Theme& theme);
/// What the machine is: GPU, OpenGL renderer, where the field is computed and the block was recorded, how long it took.
void drawMachineTooltip(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
