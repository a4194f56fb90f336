#pragma once

#include <cstdint>
#include <string>

namespace haloscope {

/// Orbit camera of the block scene.
struct SceneCamera {
  float yaw = 0.78F, pitch = 0.6F, zoom = 1.0F;
  float panX = 0, panY = 0;
  bool operator==(const SceneCamera&) const = default;
};

/// What the camera is to show.
enum class Shot : std::uint8_t {
  Grid,    ///< where in the grid the block is
  Stage,   ///< the whole block
  Thread,  ///< the selected thread's cell and its neighbours
};

/// On the way from one view to another, `share` of it done, 0…1: every point of the picture moves in a straight line.
[[nodiscard]] SceneCamera between(const SceneCamera& from, const SceneCamera& to, float share);

/// The camera "top", "front", "side" or "angled". Throws InputError for another name.
[[nodiscard]] SceneCamera cameraNamed(const std::string& name);

}  // namespace haloscope
