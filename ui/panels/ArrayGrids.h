#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The block's arrays as grids of cells, one beside the other, in cells as large as fit into `height` pixels. Points at
/// a cell: its value, whose copy it is and who wrote it. Click: its writer becomes the selected thread.
void drawArrayGrids(AppState& state, const Theme& theme, float height);

/// What the cells' fills mean: those that occur now. The outlines are explained in the panel's heading.
void drawArrayLegend(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
