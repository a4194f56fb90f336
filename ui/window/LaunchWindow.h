#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The launch of an opened file, to view and change; while it is open.
void drawLaunch(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
