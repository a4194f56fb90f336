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

  void draw(ImVec2 at);
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const { return mapSize().y; }

 private:
  void drawMap(ImVec2 at);
  void drawStepper(ImVec2 at);
  [[nodiscard]] ImVec2 mapSize() const;
  [[nodiscard]] std::string heightText() const;

  AppState& state_;
  const Theme& theme_;
  Dim3 grid_, block_;
  Dim3 cluster_;  ///< blocks of a cluster; those of the focused one are outlined
};

}  // namespace haloscope::ui
