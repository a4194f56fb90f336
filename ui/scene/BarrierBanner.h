#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Above the scene while barriers are out: what that does to the outputs of the block, and a button that runs the warps
/// in an order that reveals it.
void drawBarrierBanner(AppState& state, const Theme& theme, float width);

}  // namespace haloscope::ui
