#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// A recording as a film: its barrier intervals as frames, as wide as they last when they are played, and below them
/// its steps.
namespace haloscope::ui {

/// As wide as the room at the cursor. With fewer than about 74 pixels at scale 1, the frames become a row of numbers,
/// and then the rows above the steps go. The cursor must be in a recording, and an experiment on screen.
void drawFilmTracks(AppState& state, const Theme& theme, float height);

}  // namespace haloscope::ui
