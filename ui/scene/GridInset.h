#pragma once

#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Where in the grid the focused block lies: a small map of the blocks at one height, in a corner of the scene. A click
/// focuses another block; the buttons below go through the grid's heights. Grids too large to draw block by block are
/// drawn as their border and their inside.
class GridInset {
 public:
  GridInset(AppState& state, const Theme& theme);

  void draw(ImVec2 at) const;
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const { return grid_.count() > 1 ? mapSize().y : 0; }

 private:
  void drawMap(ImVec2 at) const;
  void drawStepper(ImVec2 at) const;
  [[nodiscard]] ImVec2 mapSize() const;
  [[nodiscard]] std::string heightText() const;

  AppState& state_;
  const Theme& theme_;
  Dim3 grid_, block_;
  Dim3 cluster_;  ///< blocks of a cluster; those of the focused one are outlined
};

/// How bright a block is: the more of its sides are at the grid's border, the brighter. 0…1.
[[nodiscard]] float insetProminence(recording::BlockPlace place);
/// The tooltip of a block of a grid.
void blockTooltip(const Theme& theme, const Dim3& block, const Dim3& grid, const Dim3& cluster);

}  // namespace haloscope::ui
