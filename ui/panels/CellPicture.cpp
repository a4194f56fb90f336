#include "ui/panels/CellPicture.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "language/Text.h"
#include "questions/Questions.h"
#include "recording/GridShape.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using questions::CellSet;
using recording::GridPoint;
using recording::GridShape;

constexpr std::int64_t kMostColumns = 64, kMostRows = 40;
constexpr float kLargestCell = 26, kSmallestCell = 5;  ///< pixels
constexpr float kFaint = 0.55F;                        ///< share of the colour of cells that are not marked
constexpr float kTallest = 190;                        ///< of the whole picture

/// The rectangle of cells that is drawn.
struct Bounds {
  std::int64_t firstRow = 0, firstColumn = 0, rows = 1, columns = 1, plane = 0;
};

Bounds boundsOf(const CellSet& set) {
  const GridShape shape(set.extents);
  Bounds bounds{0, 0, shape.rows(), shape.columns(), shape.planes() / 2};
  std::int64_t lastRow = shape.rows() - 1, lastColumn = shape.columns() - 1;
  for (const GridPoint& cell : set.cells) {
    bounds.firstRow = std::min(bounds.firstRow, cell.y);
    bounds.firstColumn = std::min(bounds.firstColumn, cell.x);
    lastRow = std::max(lastRow, cell.y);
    lastColumn = std::max(lastColumn, cell.x);
  }
  bounds.rows = lastRow - bounds.firstRow + 1;
  bounds.columns = lastColumn - bounds.firstColumn + 1;
  return bounds;
}

CellLook lookOf(const Theme& theme, const CellSet& set, const GridShape& shape, const GridPoint& at) {
  const Palette& colours = theme.colours();
  const bool marked = set.contains(at);
  if (!shape.contains(at)) { return marked ? CellLook{theme.faded(colours.ghost, 0.5F), colours.ghost} : CellLook{}; }
  if (set.of != CellSet::Of::Array) {
    return marked ? CellLook{.fill = 0, .outline = colours.ghost} : CellLook{.fill = colours.output};
  }
  return CellLook{marked ? colours.halo : Theme::mixed(colours.panel, colours.interior, kFaint), 0};
}

}  // namespace

void drawCells(const Theme& theme, const CellPicture& picture) {
  const CellSet& set = picture.set;
  const Bounds bounds = boundsOf(set);
  if (bounds.columns > kMostColumns || bounds.rows > kMostRows) {
    label(theme, theme.colours().textDim, tr("Too many cells for a small picture: see it in the window."));
    return;
  }
  const GridShape shape(set.extents);
  const float room = std::max(ImGui::GetContentRegionAvail().x, theme.px(40));
  const float cell = std::clamp(
      std::min(room / static_cast<float>(bounds.columns), theme.px(kTallest) / static_cast<float>(bounds.rows)),
      theme.px(kSmallestCell), theme.px(kLargestCell));
  const float gap = cell > theme.px(8) ? theme.px(1) : 0;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const auto under =
      cellGridItem("cells", {cell, cell}, static_cast<int>(bounds.columns), static_cast<int>(bounds.rows));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  for (std::int64_t row = 0; row < bounds.rows; ++row) {
    for (std::int64_t column = 0; column < bounds.columns; ++column) {
      const GridPoint at{bounds.plane, row + bounds.firstRow, column + bounds.firstColumn};
      const ImVec2 min{origin.x + static_cast<float>(column) * cell, origin.y + static_cast<float>(row) * cell};
      const ImVec2 max{min.x + cell - gap, min.y + cell - gap};
      const CellLook look = lookOf(theme, set, shape, at);
      drawCell(list, theme, min, max, look);
      const auto index = static_cast<std::size_t>(at.x);
      const bool written = shape.contains(at) && index < picture.values.size();
      if (written && textWidth(picture.values[index]) <= cell - gap) {
        const float indent = (cell - gap - textWidth(picture.values[index])) / 2;
        textAt(list, {min.x + indent, min.y + (cell - ImGui::GetTextLineHeight()) / 2},
               look.fill == 0 ? theme.colours().text : theme.textOn(look.fill), picture.values[index]);
      }
    }
  }
  if (under) {
    const Tooltip tooltip(theme);
    const GridPoint at{bounds.plane, *under / bounds.columns + bounds.firstRow,
                       *under % bounds.columns + bounds.firstColumn};
    tooltip.title(questions::cellText(set, at));
    if (set.contains(at)) { tooltip.note(picture.caption); }
  }
  if (shape.planes() > 1) {
    label(theme, theme.colours().textDim, trf("plane {} of {}", bounds.plane, shape.planes()));
  }
}

}  // namespace haloscope::ui
