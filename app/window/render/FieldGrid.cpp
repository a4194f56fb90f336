#include "render/FieldGrid.h"

#include <algorithm>
#include <cmath>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::render {

FieldGrid FieldGrid::of(const std::vector<std::int64_t>& arrayExtents, ValueType element) {
  if (arrayExtents.empty() || arrayExtents.size() > 3) {
    throw InputError(trf("a field has one to three axes, but this array has {}", arrayExtents.size()));
  }
  FieldGrid grid{.rank = static_cast<int>(arrayExtents.size()), .element = element};
  for (std::size_t axis = 0; axis < arrayExtents.size(); ++axis) {
    if (arrayExtents[axis] < 1) { throw InputError(tr("a field needs at least one point along each axis")); }
    grid.extents.at(3 - arrayExtents.size() + axis) = arrayExtents[axis];
  }
  return grid;
}

FieldPlane FieldPlane::of(const FieldGrid& grid, int axis, float share) {
  FieldPlane plane;
  plane.axis = grid.rank < 3 ? 0 : std::clamp(axis, 0, 2);
  plane.rowAxis = plane.axis == 0 ? 1 : 0;
  plane.columnAxis = plane.axis == 2 ? 1 : 2;
  const std::int64_t extent = grid.extents.at(static_cast<std::size_t>(plane.axis));
  const double at = static_cast<double>(std::clamp(share, 0.0F, 1.0F)) * static_cast<double>(extent - 1);
  plane.position = std::llround(at);
  return plane;
}

FieldFrame FieldFrame::of(const FieldGrid& grid, const FieldPlane& plane, int width, int height) {
  FieldFrame frame{.columns = grid.extents.at(static_cast<std::size_t>(plane.columnAxis)),
                   .rows = grid.extents.at(static_cast<std::size_t>(plane.rowAxis))};
  const auto columns = static_cast<float>(frame.columns);
  const auto rows = static_cast<float>(frame.rows);
  frame.cell = std::min(static_cast<float>(width) / columns, static_cast<float>(height) / rows);
  // Whole pixels a cell, where cells are large enough for unequal ones to be seen.
  constexpr float kLargeCell = 10;
  if (frame.cell >= kLargeCell) { frame.cell = std::floor(frame.cell); }
  frame.left = std::floor((static_cast<float>(width) - frame.cell * columns) / 2);
  frame.top = std::floor((static_cast<float>(height) - frame.cell * rows) / 2);
  return frame;
}

bool FieldFrame::cellAt(float x, float y, std::int64_t& column, std::int64_t& row) const {
  column = static_cast<std::int64_t>(std::floor((x - left) / cell));
  row = static_cast<std::int64_t>(std::floor((y - top) / cell));
  return column >= 0 && column < columns && row >= 0 && row < rows;
}

}  // namespace haloscope::render
