#pragma once

#include <array>
#include <glm/glm.hpp>
#include <vector>

#include "render/FieldGrid.h"

namespace haloscope::render {

/// Looks at a field's box from outside. The box has its middle at the origin and its longest edge of length 1; the
/// fastest axis runs along x, the slowest upwards along y, the middle one towards +z.
class FieldCamera {
 public:
  /// `yaw` and `pitch` in radians, `distance` from the middle in lengths of the longest edge.
  FieldCamera(const FieldGrid& grid, float yaw, float pitch, float distance, int width, int height);

  [[nodiscard]] glm::vec3 eye() const { return eye_; }
  [[nodiscard]] glm::vec3 halfSize() const { return half_; }
  /// Direction through the middle of a pixel is `forward + (x - width/2) * perPixelX + (y - height/2) * perPixelY`.
  [[nodiscard]] glm::vec3 forward() const { return forward_; }
  [[nodiscard]] glm::vec3 perPixelX() const { return perPixelX_; }
  [[nodiscard]] glm::vec3 perPixelY() const { return perPixelY_; }

  /// Pixel of a point, from the top left corner.
  [[nodiscard]] glm::vec2 project(const glm::vec3& point) const;

  /// An edge of the box in the picture.
  struct Edge {
    glm::vec2 from, to;  ///< pixels
    bool behind;         ///< on the far side: the field is drawn over it
    int axis;            ///< of the array, 0 slowest, that the edge runs along
  };
  [[nodiscard]] std::vector<Edge> edges() const;
  /// For each axis of the array, 0 slowest: the edge on the outline of the picture to write its name at.
  [[nodiscard]] std::array<Edge, 3> axisEdges() const;

 private:
  glm::vec3 half_{0.5F}, eye_{0}, forward_{0}, right_{0}, up_{0}, perPixelX_{0}, perPixelY_{0};
  float width_, height_, pixelsPerTangent_;
};

}  // namespace haloscope::render
