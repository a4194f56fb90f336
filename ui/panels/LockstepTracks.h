#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The common time of variants side by side, from left to right: a row for each, so that one sees what stands beside
/// what.
namespace haloscope::ui {

[[nodiscard]] float lockstepTracksHeight(const AppState& state, const Theme& theme);
/// A click goes to its tick.
void drawLockstepTracks(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
