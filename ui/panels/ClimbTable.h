#pragma once

#include "actions/ClimbRows.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The rungs one below the other, as high as `height`: the climb's rail, title and idea, the bar, and what moved.
/// A click chooses a rung, a double click steps through it.
void drawClimbTable(AppState& state, const Theme& theme, const ClimbRows& rows, float height);

/// Of all rows, with the idea of the chosen one in full.
[[nodiscard]] float climbTableHeight(AppState& state, const Theme& theme, const ClimbRows& rows);

/// What its colours mean.
void drawClimbLegend(const Theme& theme, const ClimbRows& rows);

}  // namespace haloscope::ui
