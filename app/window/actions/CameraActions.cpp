#include "actions/CameraActions.h"

#include <algorithm>

#include "actions/Easing.h"

namespace haloscope {

namespace {

constexpr float kDollySeconds = 0.45F;

void show(AppState& state, Shot shot) {
  state.view.shot = shot;
  state.view.framesShot = shot == Shot::Thread;
  if (state.view.reducedMotion) { state.view.gridShare = shot == Shot::Grid ? 1 : 0; }
}

}  // namespace

void fitStage(AppState& state) {
  show(state, Shot::Stage);
  moveCamera(state, SceneCamera{});
}

void showThread(AppState& state) { show(state, Shot::Thread); }

void showGrid(AppState& state) { show(state, Shot::Grid); }

void goCloser(AppState& state) { state.view.shot == Shot::Grid ? fitStage(state) : showThread(state); }

void goFurther(AppState& state) { state.view.shot == Shot::Thread ? fitStage(state) : showGrid(state); }

bool stageInFront(const AppState& state) {
  return state.view.tabs.inFront(Tab::Block) && !state.view.tabs.inFront(Tab::Figures);
}

void moveCamera(AppState& state, const SceneCamera& camera) {
  View& view = state.view;
  if (view.reducedMotion) {
    view.camera = camera;
    view.dolly.reset();
  } else {
    view.dolly = CameraDolly{view.camera, camera};
  }
}

void holdCamera(AppState& state) {
  state.view.dolly.reset();
  state.view.framesShot = false;
  state.view.shot = Shot::Stage;
}

void refitCamera(AppState& state) {
  View& view = state.view;
  view.dolly.reset();
  view.framesShot = view.shot == Shot::Thread;
  if (view.shot != Shot::Thread) { view.camera = {.yaw = view.camera.yaw, .pitch = view.camera.pitch}; }
}

SceneCamera cameraAimed(const AppState& state) { return state.view.dolly ? state.view.dolly->to : state.view.camera; }

bool advanceCamera(AppState& state, double seconds) {
  View& view = state.view;
  const auto passed = static_cast<float>(seconds);
  const float grid = view.shot == Shot::Grid ? 1 : 0;
  const bool toGrid = view.gridShare != grid;
  const float step = view.reducedMotion ? 1 : passed / kDollySeconds;
  view.gridShare += std::clamp(grid - view.gridShare, -step, step);
  if (!view.dolly) { return toGrid; }
  view.dolly->seconds += passed;
  const float share = std::min(view.dolly->seconds / kDollySeconds, 1.0F);
  view.camera = share < 1 ? between(view.dolly->from, view.dolly->to, eased(share)) : view.dolly->to;
  if (share >= 1) { view.dolly.reset(); }
  return true;
}

}  // namespace haloscope
