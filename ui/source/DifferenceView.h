#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The two sources with their lines next to each other: what only one of them has stands out, long runs that they share
/// are folded. Fills the rest of the current window. `line`: the one of the right source that is marked as the current
/// one; 0: none.
void drawDifference(AppState& state, const Theme& theme, const SourceDifference& difference, int line);

}  // namespace haloscope::ui
