#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "experiment/TracedOutput.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// The room for a scene on the screen.
struct SceneSpace {
  float aspect = 0.87F;             ///< height by width of the picture to be filled
  float width = 480, height = 290;  ///< pixels
  float value = 27;                 ///< pixels that a number in a cell takes, across
  float line = 17;                  ///< pixels of a line of text, from one to the next
  /// Shares of the picture, across and upward, that the name below the output's planes takes, and that below the
  /// input's, where loads are counted.
  glm::vec2 name{0}, counted{0};
  /// Shares of the picture, across and upward, that something covers in these corners.
  glm::vec2 lowerLeft{0}, upperRight{0};
  /// What covers the upper right corner is so low that a picture that does not leave corners free lies below it, not
  /// beside it.
  [[nodiscard]] bool isBelow() const { return upperRight.y < 0.6F * upperRight.x; }
  bool operator==(const SceneSpace&) const = default;
};

class StagePlans;

/// All that a scene is made from. The view, the footprint and the carriers belong to the cursor's recording.
struct SceneSubject {
  const recording::Cursor& cursor;
  const recording::Footprint& footprint;
  const std::vector<recording::Carrier>& carriers;
  const recording::BlockView& view;
  const SceneFacts& facts;
  std::uint32_t thread = 0;  ///< the selected one, linear in the block
  SceneSpace space{};
  std::span<const std::int64_t> faulty{};             ///< output elements that faults reach
  std::span<const std::int64_t> wrong{};              ///< those whose values a missing barrier makes wrong; ascending
  const experiment::TracedOutput* origins = nullptr;  ///< whose operands' ways are drawn; none: no arrows
  std::optional<std::uint32_t> operand{};             ///< the one of them that is highlighted
  StagePlans* plans = nullptr;                        ///< that were made for earlier steps; none: none are kept
};

/// The picture of a block at the cursor's position.
[[nodiscard]] SceneModel buildScene(const SceneSubject& subject);

}  // namespace haloscope::render
