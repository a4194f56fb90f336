#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Keys, words and colours, and what this program is; while they are open.
void drawHelp(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
