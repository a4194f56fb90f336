#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// One thread of the block: its place, what its variables hold, what it reads and writes in the current step.
namespace haloscope::ui {

/// "Thread x=3 y=2 · lane 19 of warp 0 · point z=3 y=25 x=20 · interior", with buttons to its neighbours.
void drawThreadHeading(AppState& state, const Theme& theme);
/// Its variables, in as many columns as fit; what the step changed as "before → after".
void drawThreadValues(const AppState& state, const Theme& theme);
/// Its accesses in the current step, in words.
void drawThreadAccesses(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
