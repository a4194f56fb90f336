#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The dialog in which a number is typed into an element, or a pattern or file is chosen for its array.
void drawTypedCell(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
