#include "ui/lessons/CellBoard.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

/// One plane of the board. Returns the cell that was clicked on, or -1.
std::int64_t drawPlane(const Theme& theme, const lessons::AskedQuestion& asked, const lessons::Attempt& attempt,
                       std::int64_t z, float cell, bool numbered) {
  const lessons::Board& board = asked.board;
  const Palette& colours = theme.colours();
  const auto columns = static_cast<int>(board.columns()), rows = static_cast<int>(board.rows());
  const auto& extents = asked.answer.cells.extents;
  const auto inside = [&](std::int64_t index, std::size_t fromLast) {
    const std::int64_t extent = fromLast < extents.size() ? extents[extents.size() - 1 - fromLast] : 1;
    return index >= 0 && index < extent;
  };
  const float margin = numbered ? theme.px(22) : 0;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at(corner.x + (rows > 1 ? margin : 0), corner.y + (numbered ? theme.px(16) : 0));
  ImGui::SetCursorScreenPos(at);
  const std::string id = "plane" + std::to_string(z);
  const std::optional<int> hovered = cellGridItem(id.c_str(), {cell, cell}, columns, rows);
  const bool clicked = hovered && ImGui::IsItemClicked();
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const bool told = attempt.revealed || attempt.verdict == lessons::Attempt::Verdict::Right;
  // The cells' numbers, or every second, fourth … of them where they would run together.
  int stride = 1, rowStride = 1;
  while (theme.px(5) + textWidth(std::to_string(board.high.x)) > cell * static_cast<float>(stride)) { stride *= 2; }
  while (ImGui::GetTextLineHeight() > cell * static_cast<float>(rowStride)) { rowStride *= 2; }
  for (int row = 0; row < rows; ++row) {
    const std::int64_t y = board.low.y + row;
    for (int column = 0; column < columns; ++column) {
      const std::int64_t x = board.low.x + column;
      const ImVec2 min(at.x + cell * static_cast<float>(column), at.y + cell * static_cast<float>(row));
      const ImVec2 max(min.x + cell - theme.px(1), min.y + cell - theme.px(1));
      const bool own = inside(x, 0) && inside(y, 1) && inside(z, 2);
      const bool picked = attempt.cells.contains(board.number({z, y, x}));
      const bool missed = told && !picked && asked.answer.cells.contains({z, y, x});
      const bool good = told && asked.answer.cells.contains({z, y, x});
      CellLook look;
      look.fill = picked ? (good   ? colours.good
                            : told ? colours.fault
                                   : colours.accent)
                  : own  ? Theme::mixed(colours.panel, colours.interior, 0.28F)
                         : Theme::mixed(colours.panel, colours.ghost, 0.22F);
      look.outline = hovered == row * columns + column ? colours.text : missed ? colours.good : own ? 0 : colours.ghost;
      drawCell(list, theme, min, max, look);
    }
    if (numbered && rows > 1 && y % rowStride == 0) {
      const std::string number = std::to_string(y);
      textAt(list,
             {at.x - theme.px(6) - textWidth(number), at.y + cell * (static_cast<float>(row) + 0.5F) - theme.px(8)},
             colours.textDim, number);
    }
  }
  for (int column = 0; numbered && column < columns; ++column) {
    if ((board.low.x + column) % stride != 0) { continue; }
    const std::string number = std::to_string(board.low.x + column);
    textAt(list, {at.x + cell * (static_cast<float>(column) + 0.5F) - textWidth(number) / 2, corner.y}, colours.textDim,
           number);
  }
  if (!clicked) { return -1; }
  return board.number({z, board.low.y + *hovered / columns, board.low.x + *hovered % columns});
}

}  // namespace

bool drawCellBoard(const Theme& theme, const lessons::AskedQuestion& asked, lessons::Attempt& attempt, float width) {
  using Of = questions::CellSet::Of;
  const lessons::Board& board = asked.board;
  const Palette& colours = theme.colours();
  const std::string what = asked.answer.cells.of == Of::Array     ? asked.answer.cells.array
                           : asked.answer.cells.of == Of::Threads ? tr("threads of the block")
                                                                  : tr("lanes of the warp");
  label(theme, colours.textDim, what, asked.answer.cells.of == Of::Array ? Face::Mono : Face::Sans);
  const auto planes = static_cast<float>(board.planes());
  const auto columns = static_cast<float>(board.columns());
  const float across = std::min(planes, 4.0F);
  const float room = (width - theme.px(28) * across) / (columns * across);
  const float cell = std::floor(std::clamp(room, theme.px(7), theme.px(26)));
  const bool numbered = cell >= theme.px(9);
  std::int64_t clicked = -1;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  float x = start.x, y = start.y, bottom = start.y;
  const float planeWidth = cell * columns + theme.px(28);
  for (std::int64_t z = board.low.z; z <= board.high.z; ++z) {
    if (x > start.x && x + planeWidth > start.x + width + theme.px(8)) {
      x = start.x;
      y = bottom + theme.px(8);
    }
    ImGui::SetCursorScreenPos({x, y});
    ImGui::BeginGroup();
    if (board.planes() > 1) { label(theme, colours.textDim, "z = " + std::to_string(z)); }
    const std::int64_t hit = drawPlane(theme, asked, attempt, z, cell, numbered);
    if (hit >= 0) { clicked = hit; }
    ImGui::EndGroup();
    bottom = std::max(bottom, ImGui::GetItemRectMax().y);
    x += planeWidth;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, bottom - start.y});
  if (clicked < 0) { return false; }
  if (!attempt.cells.erase(clicked)) { attempt.cells.insert(clicked); }
  return true;
}

}  // namespace haloscope::ui
