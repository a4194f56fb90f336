#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

#include "figures/BlockBoundary.h"
#include "recording/GridShape.h"
#include "render/SceneModel.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Draws the swatch of a role like its cells.
void drawBoundaryRole(const Theme& theme, figures::LoadedAs loaded, figures::WrittenBy written, ImVec2 min, ImVec2 max);

/// One plane of the array around a block, each cell drawn by its role for the block. A long thin section is folded as
/// in the scene; where only part of an array is shown, dots and the caption indicate it.
class BoundaryPicture {
 public:
  BoundaryPicture(const figures::BlockBoundary& boundary, const Theme& theme, std::int64_t plane);

  /// Draws at the ImGui cursor, in about `room` pixels.
  void draw(ImVec2 room) const;

 private:
  /// Coordinates along an axis, inclusive.
  struct Range {
    std::int64_t low = 0, high = 0;
    [[nodiscard]] std::int64_t count() const { return high - low + 1; }
    bool operator==(const Range&) const = default;
  };

  static Range around(const Range& whole, std::int64_t lowest, std::int64_t highest, std::int64_t margin);
  void chooseRanges();
  void chooseFold();
  [[nodiscard]] std::string caption() const;
  void drawCells(ImVec2 origin, float cell) const;
  void drawEdges(ImVec2 min, float cell, const recording::GridPoint& at) const;
  void drawCuts(ImVec2 origin, float cell) const;
  void drawIndices(ImVec2 origin, float cell) const;
  /// The grid point at a row and a column of the picture, if one is drawn there.
  [[nodiscard]] bool pointAt(std::int64_t row, std::int64_t column, recording::GridPoint& at) const;
  void drawTip(const recording::GridPoint& at) const;

  const figures::BlockBoundary& boundary_;
  const Theme& theme_;
  std::int64_t plane_;
  recording::GridShape shape_;
  Range allColumns_, allRows_;  ///< of the array and the ghost cells around it
  Range columns_, rows_;        ///< that are drawn
  render::SceneFold fold_;
  recording::GridPoint low_, high_;  ///< of the picture's rows and columns
};

}  // namespace haloscope::ui
