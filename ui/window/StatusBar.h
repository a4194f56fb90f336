#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Across the bottom: GPU, OpenGL renderer, where the field is computed, findings, the step; messages above.
void drawStatusBar(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
