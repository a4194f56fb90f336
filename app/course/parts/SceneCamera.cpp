#include "parts/SceneCamera.h"

#include <array>
#include <cmath>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

SceneCamera between(const SceneCamera& from, const SceneCamera& to, float share) {
  const auto mixed = [](float a, float b, float part) { return a + (b - a) * part; };
  SceneCamera camera{.yaw = mixed(from.yaw, to.yaw, share), .pitch = mixed(from.pitch, to.pitch, share)};
  // Each step enlarges by the same factor, and the pan goes with it.
  camera.zoom = from.zoom * std::pow(to.zoom / from.zoom, share);
  const float part = from.zoom == to.zoom ? share : (camera.zoom - from.zoom) / (to.zoom - from.zoom);
  camera.panX = mixed(from.panX, to.panX, part);
  camera.panY = mixed(from.panY, to.panY, part);
  return camera;
}

SceneCamera cameraNamed(const std::string& name) {
  struct Named {
    const char* name;
    float yaw, pitch;
  };
  constexpr SceneCamera kAngled{};
  constexpr std::array kCameras = {Named{"angled", kAngled.yaw, kAngled.pitch}, Named{"top", 0, 1.55F},
                                   Named{"front", 0, 0.04F}, Named{"side", 1.5708F, 0.04F}};
  for (const Named& one : kCameras) {
    if (name == one.name) { return {.yaw = one.yaw, .pitch = one.pitch}; }
  }
  throw InputError(trf("camera={}: it can look from the top, front or side, or be angled", name));
}

}  // namespace haloscope
