#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/SceneModel.h"
#include "render/ScenePalette.h"
#include "render/SceneProjection.h"

namespace haloscope::render {

/// A shape of a scene as vector graphics: a closed polygon, or a line of two points. In pixels, from the top left
/// corner.
struct ScenePolygon {
  std::vector<glm::vec2> points;
  glm::vec4 fill{0}, stroke{0};  ///< red to alpha, 0…1; alpha 0: none
  float width = 0;               ///< of the stroke
};

/// The cells that scenePolygons() makes shapes of.
[[nodiscard]] std::size_t cellsOf(const SceneModel& model);

/// The scene at rest, without OpenGL: what SceneRenderer draws, from the back to the front. Takes its order from the
/// planes that cells lie in, which are seen from above.
[[nodiscard]] std::vector<ScenePolygon> scenePolygons(const SceneModel& model, const SceneProjection& projection,
                                                      const ScenePalette& palette);

}  // namespace haloscope::render
