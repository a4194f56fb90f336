#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "render/SceneModel.h"

namespace haloscope::render {

/// How the scene is looked at. Zoom 1 and no pan frame all of it.
struct SceneOrbit {
  float yaw = 0.7854F, pitch = kHomePitch;  ///< radians
  float zoom = 1;
  float panX = 0, panY = 0;  ///< in heights of the picture, right and up
  bool operator==(const SceneOrbit&) const = default;
};

/// Pixels at the border of the picture that the framing leaves free, for labels.
struct SceneMargins {
  float left = 0, top = 0, right = 0, bottom = 0;
  bool operator==(const SceneMargins&) const = default;
};

/// A place of the model under the pointer.
struct SceneHit {
  std::size_t box = 0;
  int cellX = 0, cellZ = 0;
  SceneSource source{};
};

/// From the model's space to the picture's pixels and back. Parallel: equal cells look equal wherever they are, as in
/// the drawings of the book. Pixels count from the top left corner.
class SceneProjection {
 public:
  SceneProjection() = default;
  SceneProjection(const SceneModel& model, const SceneOrbit& orbit, float width, float height,
                  const SceneMargins& margins = {});

  [[nodiscard]] const glm::mat4& matrix() const { return matrix_; }  ///< to OpenGL's clip space
  [[nodiscard]] glm::vec2 project(const glm::vec3& point) const;
  [[nodiscard]] glm::vec3 toViewer() const { return toViewer_; }  ///< unit vector
  [[nodiscard]] glm::vec3 right() const { return right_; }        ///< unit vector of the picture's x
  [[nodiscard]] float pixelsPerUnit() const { return pixelsPerUnit_; }
  [[nodiscard]] float width() const { return width_; }
  [[nodiscard]] float height() const { return height_; }
  /// The pixel that the scene turns and zooms about, its pan included.
  [[nodiscard]] const glm::vec2& centre() const { return centre_; }

  /// The cell under a pixel: the nearest solid box, else the nearest outline.
  [[nodiscard]] std::optional<SceneHit> pick(const SceneModel& model, const glm::vec2& pixel) const;

  bool operator==(const SceneProjection&) const = default;

 private:
  glm::mat4 matrix_{1};
  glm::vec3 right_{1, 0, 0}, up_{0, 1, 0}, toViewer_{0, 0, 1}, pivot_{0};
  glm::vec2 centre_{0};  ///< pixel of the pivot
  float pixelsPerUnit_ = 1, width_ = 1, height_ = 1;
};

}  // namespace haloscope::render
