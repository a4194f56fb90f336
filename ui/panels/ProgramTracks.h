#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The time line of an executed program: a column for each call of the host, a row for each array. Click a column to
/// select it; the wheel zooms. There must be an executed program.
void drawProgramTracks(AppState& state, const Theme& theme, float height);
/// What all rows need at least, and what they can use at most.
struct ProgramTracksHeight {
  float least = 0, most = 0;
};
[[nodiscard]] ProgramTracksHeight programTracksHeight(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
