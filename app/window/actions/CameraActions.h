#pragma once

#include "state/AppState.h"

/// Where the block is looked at from. The camera goes there by a short dolly, with reduced motion by a cut.
namespace haloscope {

void fitStage(AppState& state);
void showThread(AppState& state);
void showGrid(AppState& state);
/// From the grid to the stage to one thread, and back. Their keys turn to the next figure where one is in front.
void goCloser(AppState& state);
void goFurther(AppState& state);
[[nodiscard]] bool stageInFront(const AppState& state);

/// Moves the camera there, as part of a shot.
void moveCamera(AppState& state, const SceneCamera& camera);
/// The user moves the camera: it obeys at once, and the shot is none any more.
void holdCamera(AppState& state);
/// For another kernel or tile: the shot is framed anew, from where the user has turned to.
void refitCamera(AppState& state);
/// Where the camera is, or is on its way to.
[[nodiscard]] SceneCamera cameraAimed(const AppState& state);

/// Lets time pass. True while the camera is on its way.
bool advanceCamera(AppState& state, double seconds);

}  // namespace haloscope
