#pragma once

#include <glm/vec2.hpp>
#include <vector>

#include "render/SceneBench.h"
#include "render/SceneBuilder.h"

namespace haloscope::render {

/// Cells from the block's part of a plane of the input to the frame around it.
inline constexpr int kFrame = 1;

/// What lies on both sides of a bench, in cells of its slots.
struct BenchNeighbours {
  glm::vec2 slot{1};       ///< a plane of the input, as large as a slot
  glm::vec2 outputs{1};    ///< a plane of the output
  float planes = 1;        ///< of the grid, of which the input's stack has all
  float outputPlanes = 1;  ///< likewise the output's
  float outputRise = 0;    ///< from the middle of the input's planes to that of the output's, in planes
  float thickness = 0.3F;  ///< of a plane
  bool operator==(const BenchNeighbours&) const = default;
};

/// Where the planes of the input and of the output lie beside the bench, and from where that is seen best. Places are
/// on the ground, see SceneBench.
struct BenchSetting {
  float yaw = 0;                          ///< radians, from which it is drawn first
  float deck = 0;                         ///< from grid plane to grid plane
  glm::vec2 input{0};                     ///< the middle of the input's planes
  glm::vec2 output{0};                    ///< the middle of the output's
  float inputScale = 1, outputScale = 1;  ///< edges of their cells
  bool beside = false;                    ///< laid out for the whole picture: it leaves free what is covered
  glm::vec2 reach{0};                     ///< of `beside`: from the picture's middle to its right and upper edge
  glm::vec2 middle{0};  ///< ... and where that middle is as seen, to the right of the bench's and below it
  float freeAt = 0;     ///< see SceneModel
};

/// A bench and its neighbours.
struct StagePlan {
  SceneBench bench;
  BenchSetting setting;
};

/// What a plan is made for.
struct StageWish {
  std::vector<BenchEntry> entries;
  BenchNeighbours neighbours;
  float yaw = 0;  ///< from which a plane of this shape is seen best
  SceneSpace space{};
  bool operator==(const StageWish&) const = default;
};

/// The bench in the middle, the input's planes to its left, the output's to its right, turned and divided into lines so
/// that its cells are as large as the room allows. Without entries the two lie side by side, with cells of one size.
[[nodiscard]] StagePlan stacksAround(const StageWish& wish);

/// The last plan: steps of one recording ask for the same again and again.
class StagePlans {
 public:
  const StagePlan& stacks(const StageWish& wish);

 private:
  StageWish wish_;
  StagePlan plan_;
  bool known_ = false;
};

/// Cells are drawn beside each other, rather than stacked, where that makes them so many times larger.
inline constexpr float kMuchLarger = 1.3F;

}  // namespace haloscope::render
