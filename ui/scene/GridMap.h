#pragma once

#include <optional>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The stage seen from afar: every block of the grid as a cell, each height a sheet above the one below. A click
/// focuses a block, and the camera goes to it.
class GridMap {
 public:
  /// Within a rectangle of the screen.
  GridMap(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max);

  /// The middle of the focused block, and how wide it is.
  [[nodiscard]] ImVec2 place() const;
  [[nodiscard]] float width() const { return edge_ * 1.414F; }
  /// `share`: 0 invisible … 1 there, when it takes the pointer.
  void draw(float share) const;

 private:
  /// The upper corner of a block, the farthest one.
  [[nodiscard]] ImVec2 corner(float x, float y, float z) const;
  [[nodiscard]] std::optional<Dim3> blockAt(ImVec2 pixel) const;
  void drawSheet(std::uint32_t z, float share) const;
  void outline(const Dim3& first, const Dim3& size, ImU32 colour, float thickness) const;

  AppState& state_;
  const Theme& theme_;
  ImVec2 min_, max_, origin_{};  ///< of the lowest sheet's farthest corner
  Dim3 grid_, block_, cluster_;
  float edge_ = 1, apart_ = 0;  ///< pixels: of a block, and from sheet to sheet
};

}  // namespace haloscope::ui
