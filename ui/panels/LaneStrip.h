#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// All lanes of the block at the current step: a row per warp, a cell per lane, coloured by activity; many warps are
/// drawn in two columns.
namespace haloscope::ui {

/// The minimum height.
[[nodiscard]] float leastLaneStripHeight(const AppState& state, const Theme& theme);
/// Draws at most `height` pixels high. Hovering a lane shows its thread; a click selects it.
void drawLaneStrip(AppState& state, const Theme& theme, float height);
/// Legend of the colours that occur now.
void drawLaneLegend(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
