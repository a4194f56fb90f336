#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Across the top: variant, tunables, sizes, block.
void drawToolbar(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
