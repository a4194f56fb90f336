#include "ui/panels/CellPicture.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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

constexpr std::int64_t kMostColumns = 160, kMostRows = 128;
constexpr std::int64_t kWholeColumns = 64, kWholeRows = 40;  ///< of a larger array the marked cells are drawn
constexpr std::int64_t kMargin = 2;                          ///< around these
constexpr float kLargestCell = 26, kSmallestCell = 2;        ///< pixels
constexpr float kSmallestOfVolume = 5;                       ///< with several planes side by side
constexpr float kFaint = 0.55F;                              ///< share of the colour of cells that are not marked
constexpr float kTallest = 190;                              ///< of the whole picture

/// The cells that are drawn: a rectangle of each of some planes.
struct Bounds {
  std::int64_t firstRow = 0, firstColumn = 0, rows = 1, columns = 1, firstPlane = 0, planes = 1;
};

/// A row or a plane with all that lies outside it; of a volume or a large array, what is marked with a margin.
Bounds boundsOf(const CellSet& set) {
  const GridShape shape(set.extents);
  const bool volume = shape.planes() > 1 && !set.cells.empty();
  const bool part = volume || (!set.cells.empty() && (shape.columns() > kWholeColumns || shape.rows() > kWholeRows));
  GridPoint low{0, 0, 0}, high{0, shape.rows() - 1, shape.columns() - 1};
  if (part) { low = high = set.cells.front(); }
  for (const GridPoint& cell : set.cells) {
    low = {std::min(low.z, cell.z), std::min(low.y, cell.y), std::min(low.x, cell.x)};
    high = {std::max(high.z, cell.z), std::max(high.y, cell.y), std::max(high.x, cell.x)};
  }
  if (part) {
    const std::int64_t margin = volume ? 1 : kMargin;
    const auto widen = [&](std::int64_t& from, std::int64_t& to, std::int64_t extent) {
      from = std::min(from, std::max<std::int64_t>(from - margin, 0));
      to = std::max(to, std::min(to + margin, extent - 1));
    };
    widen(low.y, high.y, shape.rows());
    widen(low.x, high.x, shape.columns());
  }
  Bounds bounds{low.y, low.x, high.y - low.y + 1, high.x - low.x + 1, low.z, high.z - low.z + 1};
  if (!volume) {
    bounds.firstPlane = shape.planes() / 2;
    bounds.planes = 1;
  }
  return bounds;
}

CellLook lookOf(const Theme& theme, const CellSet& set, const GridShape& shape, const GridPoint& at) {
  const Palette& colours = theme.colours();
  const bool marked = set.contains(at);
  if (!shape.contains(at)) { return marked ? CellLook{theme.faded(colours.ghost, 0.5F), colours.ghost} : CellLook{}; }
  if (set.of != CellSet::Of::Array) {
    return CellLook{.fill = marked ? colours.halo : Theme::mixed(colours.panel, colours.output, kFaint)};
  }
  return CellLook{marked ? colours.halo : Theme::mixed(colours.panel, colours.interior, kFaint), 0};
}

}  // namespace

namespace {

struct Drawn {
  const CellPicture& picture;
  const GridShape shape;
  const Bounds bounds;
  float cell, gap;
};

/// Returns the cell below the mouse.
std::optional<GridPoint> drawPlaneOf(const Theme& theme, const Drawn& drawn, std::int64_t plane) {
  const CellPicture& picture = drawn.picture;
  const Bounds& bounds = drawn.bounds;
  const float cell = drawn.cell;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const std::string id = "cells" + std::to_string(plane);
  const auto under =
      cellGridItem(id.c_str(), {cell, cell}, static_cast<int>(bounds.columns), static_cast<int>(bounds.rows));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  for (std::int64_t row = 0; row < bounds.rows; ++row) {
    for (std::int64_t column = 0; column < bounds.columns; ++column) {
      const GridPoint at{plane, row + bounds.firstRow, column + bounds.firstColumn};
      const ImVec2 min{origin.x + static_cast<float>(column) * cell, origin.y + static_cast<float>(row) * cell};
      const ImVec2 max{min.x + cell - drawn.gap, min.y + cell - drawn.gap};
      const CellLook look = lookOf(theme, picture.set, drawn.shape, at);
      drawCell(list, theme, min, max, look);
      const auto index = static_cast<std::size_t>(at.x);
      const bool written = drawn.shape.contains(at) && index < picture.values.size();
      if (written && textWidth(picture.values[index]) <= cell - drawn.gap) {
        const float indent = (cell - drawn.gap - textWidth(picture.values[index])) / 2;
        textAt(list, {min.x + indent, min.y + (cell - ImGui::GetTextLineHeight()) / 2},
               look.fill == 0 ? theme.colours().text : theme.textOn(look.fill), picture.values[index]);
      }
    }
  }
  if (!under) { return std::nullopt; }
  return GridPoint{plane, *under / bounds.columns + bounds.firstRow, *under % bounds.columns + bounds.firstColumn};
}

}  // namespace

void drawCells(const Theme& theme, const CellPicture& picture) {
  const CellSet& set = picture.set;
  const GridShape shape(set.extents);
  Bounds bounds = boundsOf(set);
  if (bounds.columns > kMostColumns || bounds.rows > kMostRows) {
    label(theme, theme.colours().textDim, tr("Too many cells for a small picture: see it in the window."));
    return;
  }
  const float room = std::max(ImGui::GetContentRegionAvail().x, theme.px(40)), apart = theme.px(10);
  const auto cellIn = [&](std::int64_t planes) {
    const float free = room - apart * static_cast<float>(planes - 1);
    return std::min(free / static_cast<float>(bounds.columns * planes),
                    theme.px(kTallest) / static_cast<float>(bounds.rows));
  };
  if (cellIn(bounds.planes) < theme.px(kSmallestOfVolume)) {  // too many side by side
    bounds.firstPlane += bounds.planes / 2;
    bounds.planes = 1;
  }
  const float cell = std::clamp(cellIn(bounds.planes), theme.px(kSmallestCell), theme.px(kLargestCell));
  const Drawn drawn{picture, shape, bounds, cell, cell > theme.px(8) ? theme.px(1) : 0};
  std::optional<GridPoint> under;
  for (std::int64_t i = 0; i < bounds.planes; ++i) {
    if (i > 0) { ImGui::SameLine(0, apart); }
    if (const auto at = drawPlaneOf(theme, drawn, bounds.firstPlane + i)) { under = at; }
  }
  if (under) {
    const Tooltip tooltip(theme);
    tooltip.title(questions::cellText(set, *under));
    if (set.contains(*under)) { tooltip.note(picture.caption); }
  }
  if (bounds.planes > 1) {
    label(theme, theme.colours().textDim,
          trf("planes z = {} … {} of 0 … {}", bounds.firstPlane, bounds.firstPlane + bounds.planes - 1,
              shape.planes() - 1));
  } else if (shape.planes() > 1) {
    label(theme, theme.colours().textDim, trf("plane z = {} of 0 … {}", bounds.firstPlane, shape.planes() - 1));
  }
}

}  // namespace haloscope::ui
