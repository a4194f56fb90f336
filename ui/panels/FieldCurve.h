#pragma once

#include <imgui.h>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The field of a 1D kernel in a rectangle: the input and the current values over the index, with where the recorded
/// block lies. Sets the size of the plot in FieldControls, and the pointer's place in it if it is `hovered`.
void drawFieldCurve(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max, bool hovered);

}  // namespace haloscope::ui
