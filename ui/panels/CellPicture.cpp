#include "ui/panels/CellPicture.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "language/Text.h"
#include "questions/Questions.h"
#include "recording/GridShape.h"
#include "ui/widgets/CellPlanes.h"
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

/// A row or a plane with all that lies outside it; of a volume or a large array, what is marked with a margin.
std::pair<GridPoint, GridPoint> boundsOf(const CellSet& set) {
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
  if (!volume) { low.z = high.z = shape.planes() / 2; }
  return {low, high};
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

void drawCells(const Theme& theme, const CellPicture& picture) {
  const CellSet& set = picture.set;
  const GridShape shape(set.extents);
  CellPlanes planes;
  std::tie(planes.low, planes.high) = boundsOf(set);
  if (planes.columns() > kMostColumns || planes.rows() > kMostRows) {
    label(theme, theme.colours().textDim, tr("Too many cells for a small picture: see it in the window."));
    return;
  }
  const float room = std::max(ImGui::GetContentRegionAvail().x, theme.px(40));
  const float numbers = planes.planeWidth(theme);
  const auto cellIn = [&](std::int64_t count) {
    return std::min((room - numbers * static_cast<float>(count)) / static_cast<float>(planes.columns() * count),
                    theme.px(kTallest) / static_cast<float>(planes.rows()));
  };
  if (cellIn(planes.planes()) < theme.px(kSmallestOfVolume)) {  // too many side by side
    planes.low.z = planes.high.z = planes.low.z + planes.planes() / 2;
  }
  planes.cell = std::clamp(cellIn(planes.planes()), theme.px(kSmallestCell), theme.px(kLargestCell));
  planes.look = [&](const GridPoint& at, bool) { return lookOf(theme, set, shape, at); };
  planes.value = [&](const GridPoint& at) {
    const auto index = static_cast<std::size_t>(at.x);
    return shape.contains(at) && index < picture.values.size() ? picture.values[index] : std::string();
  };
  if (const auto under = drawCellPlanes(theme, planes, room)) {
    const Tooltip tooltip(theme);
    tooltip.title(questions::cellText(set, under->at));
    if (set.contains(under->at)) { tooltip.note(picture.caption); }
  }
  if (planes.planes() > 1) {
    label(theme, theme.colours().textDim,
          trf("planes z = {} … {} of 0 … {}", planes.low.z, planes.high.z, shape.planes() - 1));
  } else if (shape.planes() > 1) {
    label(theme, theme.colours().textDim, trf("plane z = {} of 0 … {}", planes.low.z, shape.planes() - 1));
  }
}

}  // namespace haloscope::ui
