#include "ui/figures/BoundaryPicture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "language/Text.h"
#include "state/Places.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using figures::GhostCell;
using figures::LoadedAs;
using figures::WrittenBy;
using recording::GridPoint;

constexpr std::int64_t kWholeGrid = 44;    ///< up to this many cells per axis, all are drawn
constexpr std::int64_t kAround = 4;        ///< cells drawn around the block in a larger grid
constexpr std::int64_t kWholeArray = 512;  ///< up to this many elements of a 1D array, all are drawn (folded)
constexpr std::int64_t kAroundArray = 32;  ///< elements drawn around the block in a larger one
constexpr std::int64_t kThin = 6;          ///< aspect ratio from which a section is folded
constexpr std::int64_t kFold = kWarpSize;  ///< cells per row of a folded section, times a power of two
constexpr float kLargestCell = 40, kSmallestCell = 3;

}  // namespace

void drawBoundaryRole(const Theme& theme, LoadedAs loaded, WrittenBy written, ImVec2 min, ImVec2 max) {
  const Palette& colours = theme.colours();
  CellLook look;
  switch (loaded) {
    case LoadedAs::Interior:
      look.fill = colours.interior;
      break;
    case LoadedAs::Halo:
      look.fill = colours.halo;
      break;
    case LoadedAs::Ghost:
      look.fill = colours.ghost;
      break;
    case LoadedAs::Nothing:
      look.fill = theme.faded(colours.border, 0.5F);
      break;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawCell(list, theme, min, max, look);
  if (written == WrittenBy::ThisBlock) {
    const float inset = std::round((max.x - min.x) * 0.28F);
    const ImVec2 low{min.x + inset, min.y + inset}, high{max.x - inset, max.y - inset};
    list->AddRectFilled({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, colours.panel);
    list->AddRectFilled(low, high, colours.output);
  } else if (written == WrittenBy::NoBlock) {
    const float line = std::max(1.0F, theme.px(1.5F));
    const ImU32 colour = loaded == LoadedAs::Nothing ? colours.text : colours.panel;
    list->AddLine({min.x + line, min.y + line}, {max.x - line, max.y - line}, colour, line);
    list->AddLine({min.x + line, max.y - line}, {max.x - line, min.y + line}, colour, line);
  }
}

BoundaryPicture::BoundaryPicture(const figures::BlockBoundary& boundary, const Theme& theme, std::int64_t plane)
    : boundary_(boundary), theme_(theme), plane_(plane), shape_(boundary.extents) {
  chooseRanges();
  chooseFold();
}

BoundaryPicture::Range BoundaryPicture::around(const Range& whole, std::int64_t lowest, std::int64_t highest,
                                               std::int64_t margin) {
  return {std::max(whole.low, lowest - margin), std::min(whole.high, highest + margin)};
}

void BoundaryPicture::chooseRanges() {
  const GridPoint& low = boundary_.lowest;
  const GridPoint& high = boundary_.highest;
  allColumns_ = {std::min<std::int64_t>(low.x, 0), std::max(high.x, shape_.columns() - 1)};
  allRows_ = {std::min<std::int64_t>(low.y, 0), std::max(high.y, shape_.rows() - 1)};
  columns_ = allColumns_;
  rows_ = allRows_;
  if (boundary_.extents.size() == 1) {
    if (columns_.count() > kWholeArray) { columns_ = around(allColumns_, low.x, high.x, kAroundArray); }
    return;
  }
  if (columns_.count() > kWholeGrid) { columns_ = around(allColumns_, low.x, high.x, kAround); }
  const bool thin = columns_.count() > kWholeGrid && columns_.count() > kThin * (high.y - low.y + 1);
  if (thin || rows_.count() > kWholeGrid) { rows_ = around(allRows_, low.y, high.y, thin ? 0 : kAround); }
}

void BoundaryPicture::chooseFold() {
  const std::int64_t length = columns_.count();
  if (length > kWholeGrid && length > kThin * rows_.count()) {
    fold_.top = rows_.low;
    fold_.stride = rows_.count() + 1;
    fold_.columns = kFold;
    while (2 * (length / fold_.columns) * fold_.stride > 3 * fold_.columns) { fold_.columns *= 2; }
    // Rows begin at multiples of the warp size. A few cells before the first or after the last row extend those rows.
    fold_.first = std::max<std::int64_t>(columns_.low, 0) / kFold * kFold;
    if (4 * (fold_.first + kFold - columns_.low) <= fold_.columns) { fold_.first += kFold; }
    fold_.firstBand = 0;
    fold_.lastBand = std::max<std::int64_t>((columns_.high - fold_.first) / fold_.columns, 0);
    const std::int64_t rest = columns_.high - fold_.first - fold_.lastBand * fold_.columns + 1;
    if (fold_.lastBand > 0 && 4 * rest <= fold_.columns) { --fold_.lastBand; }
  }
  low_ = fold_({plane_, rows_.low, columns_.low});
  high_ = fold_({plane_, rows_.high, columns_.high});
  if (fold_.columns > 0 && fold_.lastBand > 0) {
    low_.x = std::min<std::int64_t>(low_.x, 0);
    high_.x = std::max(high_.x, fold_.columns - 1);
  }
}

void BoundaryPicture::draw(ImVec2 room) const {
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  clippedLabel(theme_, theme_.colours().textDim, caption());
  const float dots = theme_.px(12);
  const float left = fold_.columns > 0 ? textWidth(std::to_string(columns_.high)) + theme_.px(4) : 0;
  const auto wide = static_cast<float>(high_.x - low_.x + 1);
  const auto high = static_cast<float>(high_.y - low_.y + 1);
  const float cell =
      std::clamp(std::floor(std::min((room.x - left - 2 * dots) / wide, (room.y - line - 2 * dots) / high)),
                 kSmallestCell, theme_.px(kLargestCell));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 origin = {corner.x + left + dots, corner.y + (rows_ == allRows_ ? theme_.px(2) : dots)};
  drawCells(origin, cell);
  drawCuts(origin, cell);
  if (fold_.columns > 0) { drawIndices(origin, cell); }
  ImGui::SetCursorScreenPos(origin);
  const int columns = static_cast<int>(wide);
  const auto pointed = cellGridItem("cells", {cell, cell}, columns, static_cast<int>(high));
  GridPoint at;
  if (pointed && pointAt(low_.y + *pointed / columns, low_.x + *pointed % columns, at)) { drawTip(at); }
}

std::string BoundaryPicture::caption() const {
  const auto axis = [](const char* name, const Range& shown, const Range& whole) {
    const std::string text = fmt::format("{} {} … {}", name, shown.low, shown.high);
    return shown == whole ? text : text + trf(" of {} … {}", whole.low, whole.high);
  };
  std::string text = axis("x →", columns_, allColumns_);
  if (fold_.columns > 0) { text += trf(", folded: {} per row", fold_.columns); }
  if (boundary_.extents.size() > 1) { text += axis("    y ↓", rows_, allRows_); }
  return text;
}

bool BoundaryPicture::pointAt(std::int64_t row, std::int64_t column, GridPoint& at) const {
  at = {plane_, row, column};
  if (fold_.columns > 0) {
    const std::int64_t band = row / fold_.stride;
    at = {plane_, fold_.top + row % fold_.stride, fold_.first + band * fold_.columns + column};
    if (fold_.bandOf(at.x) != band) { return false; }
  }
  return at.x >= columns_.low && at.x <= columns_.high && at.y >= rows_.low && at.y <= rows_.high;
}

void BoundaryPicture::drawCells(ImVec2 origin, float cell) const {
  for (std::int64_t y = rows_.low; y <= rows_.high; ++y) {
    for (std::int64_t x = columns_.low; x <= columns_.high; ++x) {
      const GridPoint at{plane_, y, x};
      const LoadedAs loaded = boundary_.loadedAs(at);
      if (loaded == LoadedAs::Nothing && !shape_.contains(at)) { continue; }
      const GridPoint place = fold_(at);
      const ImVec2 min{origin.x + static_cast<float>(place.x - low_.x) * cell,
                       origin.y + static_cast<float>(place.y - low_.y) * cell};
      drawBoundaryRole(theme_, loaded, boundary_.writtenBy(at), min, {min.x + cell - 1, min.y + cell - 1});
      drawEdges(min, cell, at);
    }
  }
}

/// Draws the array's border.
void BoundaryPicture::drawEdges(ImVec2 min, float cell, const GridPoint& at) const {
  if (!shape_.contains(at)) { return; }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = theme_.colours().text;
  const float width = std::max(1.0F, theme_.px(1.75F));
  const ImVec2 low = {min.x - 1, min.y - 1};
  const ImVec2 high = {min.x + cell, min.y + cell};
  if (at.x == 0) { list->AddLine(low, {low.x, high.y}, colour, width); }
  if (at.x == shape_.columns() - 1) { list->AddLine({high.x, low.y}, high, colour, width); }
  if (boundary_.extents.size() < 2) { return; }
  if (at.y == 0) { list->AddLine(low, {high.x, low.y}, colour, width); }
  if (at.y == shape_.rows() - 1) { list->AddLine({low.x, high.y}, high, colour, width); }
}

/// Draws three dots on each side where the array continues.
void BoundaryPicture::drawCuts(ImVec2 origin, float cell) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto dots = [&](ImVec2 at, ImVec2 along) {
    for (int i = 1; i <= 3; ++i) {
      const float distance = theme_.px(3.5F) * static_cast<float>(i);
      list->AddCircleFilled({at.x + along.x * distance, at.y + along.y * distance}, std::max(1.0F, theme_.px(1.2F)),
                            theme_.colours().textDim);
    }
  };
  const auto at = [&](const GridPoint& point, float right, float down) {
    return ImVec2{origin.x + (static_cast<float>(point.x - low_.x) + right) * cell,
                  origin.y + (static_cast<float>(point.y - low_.y) + down) * cell};
  };
  const std::int64_t middle = (rows_.low + rows_.high) / 2;
  if (columns_.low > allColumns_.low) { dots(at(fold_({plane_, middle, columns_.low}), 0, 0.5F), {-1, 0}); }
  if (columns_.high < allColumns_.high) { dots(at(fold_({plane_, middle, columns_.high}), 1, 0.5F), {1, 0}); }
  const GridPoint centre{0, 0, (low_.x + high_.x) / 2};
  if (rows_.low > allRows_.low) { dots(at({0, low_.y, centre.x}, 0.5F, 0), {0, -1}); }
  if (rows_.high < allRows_.high) { dots(at({0, high_.y, centre.x}, 0.5F, 1), {0, 1}); }
}

/// Labels each row of a folded section with its first index.
void BoundaryPicture::drawIndices(ImVec2 origin, float cell) const {
  const float height = ImGui::GetTextLineHeight();
  const float pitch = static_cast<float>(fold_.stride) * cell;
  const auto every = static_cast<std::int64_t>(std::ceil(height / std::max(pitch, 1.0F)));
  const float middle = (static_cast<float>(rows_.count()) * cell - height) / 2;
  for (std::int64_t band = 0; band <= fold_.lastBand; band += every) {
    const std::string index = std::to_string(std::max(fold_.first + band * fold_.columns, columns_.low));
    textAt(ImGui::GetWindowDrawList(),
           {origin.x - theme_.px(14) - textWidth(index), origin.y + static_cast<float>(band) * pitch + middle},
           theme_.colours().textDim, index);
  }
}

void BoundaryPicture::drawTip(const GridPoint& at) const {
  const LoadedAs loaded = boundary_.loadedAs(at);
  const bool inside = shape_.contains(at);
  if (!inside && loaded == LoadedAs::Nothing) { return; }
  const WrittenBy written = boundary_.writtenBy(at);
  const Tooltip tip(theme_);
  tip.title(inside ? recording::formatElement(boundary_.input, boundary_.extents, shape_.element(at))
                   : trf("{} at {}", boundary_.input, pointText(at, boundary_.extents.size())));
  const Palette& colours = theme_.colours();
  switch (loaded) {
    case LoadedAs::Interior:
      tip.row(tr("loaded"), tr("interior point"), colours.interior);
      break;
    case LoadedAs::Halo:
      tip.row(tr("loaded"), written == WrittenBy::NoBlock ? tr("halo cell, a border point") : tr("halo cell"),
              colours.halo);
      break;
    case LoadedAs::Ghost: {
      const GhostCell& ghost = *boundary_.ghostAt(at);
      tip.row(tr("outside"), tr("ghost cell"), colours.ghost);
      if (ghost.needed) { tip.note(tr("Used in a sum of this block.")); }
      if (ghost.held) { tip.note(tr("A cell of the block's tile represents it.")); }
      if (!ghost.needed) { tip.note(tr("Not used in any sum of this block.")); }
      break;
    }
    case LoadedAs::Nothing:
      tip.row(tr("loaded"), tr("not by this block"));
      break;
  }
  switch (written) {
    case WrittenBy::ThisBlock:
      tip.row(tr("written"), tr("by this block"), colours.output);
      break;
    case WrittenBy::OtherBlock:
      tip.row(tr("written"), tr("by another block"));
      break;
    case WrittenBy::NoBlock:
      tip.row(tr("written"), tr("by no block (keeps its value)"));
      break;
    case WrittenBy::Outside:
      break;
  }
}

}  // namespace haloscope::ui
