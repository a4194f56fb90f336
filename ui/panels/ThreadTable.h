#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The selected thread: its position, variables, and accesses in the current step.
namespace haloscope::ui {

/// "Thread x=3 y=2 · lane 19 of warp 0 · point z=3 y=25 x=20 · interior", with buttons to its neighbours.
void drawThreadHeading(AppState& state, const Theme& theme);
/// Its variables, in as many columns as fit; changes of the current step as "before → after".
void drawThreadValues(const AppState& state, const Theme& theme);
/// Its accesses in the current step, as text.
void drawThreadAccesses(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
