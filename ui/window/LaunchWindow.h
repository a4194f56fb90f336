#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The launch of an opened file, to be looked at and changed; while it is asked for.
void drawLaunch(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
