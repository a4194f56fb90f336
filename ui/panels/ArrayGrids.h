#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Draws the block's arrays as grids of cells, as large as fit into `height` pixels. Hovering a cell shows its value,
/// the element it is a copy of and its writer; a click selects the writing thread.
void drawArrayGrids(AppState& state, const Theme& theme, float height);

/// Legend of the cell fills that occur now. The outlines are explained in the panel's heading.
void drawArrayLegend(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
