#pragma once

#include <glm/vec2.hpp>

#include "render/SceneBench.h"
#include "render/SceneBuilder.h"

namespace haloscope::render {

/// What lies on both sides of a bench, in cells of its slots.
struct BenchNeighbours {
  glm::vec2 slot{1};       ///< a plane of the input, as large as a slot
  glm::vec2 outputs{1};    ///< a plane of the output
  float planes = 1;        ///< of the grid, of which the input's stack has all
  float outputPlanes = 1;  ///< likewise the output's
};

/// Where the planes of the input and of the output lie beside the bench, and from where that is seen best. Places are
/// on the ground, see SceneBench.
struct BenchSetting {
  float yaw = 0;                          ///< radians, from which it is drawn first
  float deck = 0;                         ///< from grid plane to grid plane
  glm::vec2 input{0};                     ///< the middle of the input's planes
  glm::vec2 output{0};                    ///< the middle of the output's
  float inputScale = 1, outputScale = 1;  ///< edges of their cells
  bool beside = false;                    ///< the stacks are at the picture's edges, the bench in the middle
  bool wide = false;   ///< sheets in line from the lower left to the upper right, else from the upper left
  glm::vec2 reach{0};  ///< of `beside`: from the picture's middle to its right and upper edge
  float middle = 0;    ///< ... and where that middle is, to the right of the bench's
  float freeAt = 0;    ///< see SceneModel
};

/// The bench in the middle, the input's planes to its left, the output's to its right, each grid plane at the same
/// height in both; turned so that its cells are as large as the room allows. In a high room the stacks lie before and
/// behind the bench instead, where its slanting edges leave room: whichever makes cells larger. `yaw`: from which a
/// plane of this shape is seen best.
[[nodiscard]] BenchSetting stacksAround(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw,
                                        const SceneSpace& space);

/// One plane of input and one of output lie in line with the bench, their cells as large as its own.
[[nodiscard]] BenchSetting sheetsBeside(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw);

/// Cells are drawn beside each other, rather than stacked, where that makes them so many times larger.
inline constexpr float kMuchLarger = 1.3F;

}  // namespace haloscope::render
