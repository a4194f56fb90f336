#pragma once

#include <string>

namespace haloscope {

/// Orbit camera of the block scene.
struct SceneCamera {
  float yaw = 0.78F, pitch = 0.55F, zoom = 1.0F;
  float panX = 0, panY = 0;
  bool operator==(const SceneCamera&) const = default;
};

/// The camera "top", "front", "side" or "angled". Throws InputError for another name.
[[nodiscard]] SceneCamera cameraNamed(const std::string& name);

}  // namespace haloscope
