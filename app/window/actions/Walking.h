#pragma once

#include "state/AppState.h"

/// Moves the cursor through the recording of the block, or all variants side by side through their common time. Every
/// move stops playback.
namespace haloscope {

void stepForward(AppState& state);
void stepBack(AppState& state);
void goToNextInterval(AppState& state);
void goToPreviousInterval(AppState& state);
void goToNextPlane(AppState& state);
void goToPreviousPlane(AppState& state);
void goToStart(AppState& state);  ///< before the first step
void goToEnd(AppState& state);    ///< after the last step

/// Playing begins again at the start where the end has been reached.
void playOrPause(AppState& state);
/// Twice as fast, up to 64 times.
void playFaster(AppState& state);
/// Half as fast, down to a sixteenth.
void playSlower(AppState& state);

}  // namespace haloscope
