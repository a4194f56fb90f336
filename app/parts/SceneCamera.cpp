#include "parts/SceneCamera.h"

#include <array>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

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
