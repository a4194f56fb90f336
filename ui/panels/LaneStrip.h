#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// All lanes of the block at the current step: a row per warp, a cell per lane, its colour what the lane is doing; many
/// warps stand in two columns.
namespace haloscope::ui {

/// The height that the strip cannot do without.
[[nodiscard]] float leastLaneStripHeight(const AppState& state, const Theme& theme);
/// As high as `height` allows. Points at a lane: its thread; click: selects it.
void drawLaneStrip(AppState& state, const Theme& theme, float height);
/// What the colours mean: those that occur now.
void drawLaneLegend(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
