#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The common timeline of the compared variants, one row each.
namespace haloscope::ui {

[[nodiscard]] float lockstepTracksHeight(const AppState& state, const Theme& theme);
/// A click goes to that tick.
void drawLockstepTracks(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
