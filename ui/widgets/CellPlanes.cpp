#include "ui/widgets/CellPlanes.h"

#include <algorithm>
#include <string>

namespace haloscope::ui {

using recording::GridPoint;

namespace {

constexpr float kLeastNumbered = 9;              // edge of a cell from which they have numbers, at scale 1
constexpr float kNumbersLeft = 22, kBeside = 6;  // room for those of rows, and between planes

bool isNumbered(const Theme& theme, const CellPlanes& planes) { return planes.cell >= theme.px(kLeastNumbered); }

/// The cells' numbers, or every second, fourth … of them where they would run together.
void drawNumbers(const Theme& theme, const CellPlanes& planes, ImVec2 at) {
  const float cell = planes.cell;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = theme.colours().textDim;
  const auto strideFor = [&](float needed) {
    int stride = 1;
    while (needed > cell * static_cast<float>(stride)) { stride *= 2; }
    return stride;
  };
  const int stride = strideFor(theme.px(5) + textWidth(std::to_string(planes.high.x)));
  const int rowStride = strideFor(ImGui::GetTextLineHeight());
  for (std::int64_t y = planes.low.y; planes.rows() > 1 && y <= planes.high.y; ++y) {
    if (y % rowStride != 0) { continue; }
    const std::string number = std::to_string(y);
    const float middle = at.y + cell * (static_cast<float>(y - planes.low.y) + 0.5F);
    textAt(list, {at.x - theme.px(6) - textWidth(number), middle - theme.px(8)}, colour, number);
  }
  for (std::int64_t x = planes.low.x; x <= planes.high.x; ++x) {
    if (x % stride != 0) { continue; }
    const std::string number = std::to_string(x);
    const float middle = at.x + cell * (static_cast<float>(x - planes.low.x) + 0.5F);
    textAt(list, {middle - textWidth(number) / 2, at.y - theme.px(16)}, colour, number);
  }
}

std::optional<PointedCell> drawPlane(const Theme& theme, const CellPlanes& planes, std::int64_t z) {
  const bool numbered = isNumbered(theme, planes);
  ImVec2 at = ImGui::GetCursorScreenPos();
  if (numbered) { at = {at.x + (planes.rows() > 1 ? theme.px(kNumbersLeft) : 0), at.y + theme.px(16)}; }
  ImGui::SetCursorScreenPos(at);
  const std::string id = "plane" + std::to_string(z);
  const auto columns = static_cast<int>(planes.columns()), rows = static_cast<int>(planes.rows());
  const float cell = planes.cell, edge = cell - (cell > theme.px(6) ? theme.px(1) : 0);
  const std::optional<int> hovered = cellGridItem(id.c_str(), {cell, cell}, columns, rows);
  std::optional<PointedCell> pointed;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const FontScope font(theme, Face::Mono, TextSize::Small);
  for (int index = 0; index < rows * columns; ++index) {
    const GridPoint point{z, planes.low.y + index / columns, planes.low.x + index % columns};
    const ImVec2 min(at.x + cell * static_cast<float>(index % columns),
                     at.y + cell * static_cast<float>(index / columns));
    const CellLook look = planes.look(point, hovered == index);
    drawCell(list, theme, min, {min.x + edge, min.y + edge}, look);
    if (hovered == index) { pointed = PointedCell{point, ImGui::IsItemClicked()}; }
    const std::string value = planes.value ? planes.value(point) : std::string();
    const float wide = textWidth(value);
    if (value.empty() || wide > edge) { continue; }
    textAt(list, {min.x + (edge - wide) / 2, min.y + (cell - ImGui::GetTextLineHeight()) / 2},
           look.fill == 0 ? theme.colours().text : theme.textOn(look.fill), value);
  }
  if (numbered) { drawNumbers(theme, planes, at); }
  return pointed;
}

}  // namespace

float CellPlanes::planeWidth(const Theme& theme) const {
  return cell * static_cast<float>(columns()) + theme.px(kNumbersLeft + kBeside);
}

std::optional<PointedCell> drawCellPlanes(const Theme& theme, const CellPlanes& planes, float width) {
  std::optional<PointedCell> pointed;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  float x = start.x, y = start.y, bottom = start.y;
  const float planeWidth = planes.planeWidth(theme);
  for (std::int64_t z = planes.low.z; z <= planes.high.z; ++z) {
    if (x > start.x && x + planeWidth > start.x + width + theme.px(8)) {
      x = start.x;
      y = bottom + theme.px(8);
    }
    ImGui::SetCursorScreenPos({x, y});
    ImGui::BeginGroup();
    if (planes.planes() > 1) { label(theme, theme.colours().textDim, "z = " + std::to_string(z)); }
    if (const auto here = drawPlane(theme, planes, z)) { pointed = here; }
    ImGui::EndGroup();
    bottom = std::max(bottom, ImGui::GetItemRectMax().y);
    x += planeWidth;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, bottom - start.y});
  return pointed;
}

}  // namespace haloscope::ui
