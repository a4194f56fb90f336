#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// On the stage: what is wrong with the kernel on screen, in its whole sentence, the way to its place, and what mends
/// it, to be tried at once. `width`: pixels that it may take. Nothing for a kernel without findings.
void drawFindingBanner(AppState& state, const Theme& theme, float width);

}  // namespace haloscope::ui
