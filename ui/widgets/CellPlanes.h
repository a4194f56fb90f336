#pragma once

#include <functional>
#include <optional>
#include <string>

#include "recording/BlockView.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

/// Cells of an array, of threads or of lanes, plane beside plane, with their numbers where there is room for them.
struct CellPlanes {
  recording::GridPoint low, high;  ///< both inclusive
  float cell = 0;                  ///< pixels, with the gap to the next one
  std::function<CellLook(const recording::GridPoint& at, bool hovered)> look;
  std::function<std::string(const recording::GridPoint& at)> value{};  ///< written where it has room; empty: none

  [[nodiscard]] std::int64_t planes() const { return high.z - low.z + 1; }
  [[nodiscard]] std::int64_t rows() const { return high.y - low.y + 1; }
  [[nodiscard]] std::int64_t columns() const { return high.x - low.x + 1; }
  /// From one plane to the next, with its numbers.
  [[nodiscard]] float planeWidth(const Theme& theme) const;
};

struct PointedCell {
  recording::GridPoint at;
  bool clicked = false;
};

/// Draws them in as many rows of planes as `width` needs. Returns the cell below the mouse.
std::optional<PointedCell> drawCellPlanes(const Theme& theme, const CellPlanes& planes, float width);

}  // namespace haloscope::ui
