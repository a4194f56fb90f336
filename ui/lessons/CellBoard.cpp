#include "ui/lessons/CellBoard.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "language/Text.h"
#include "recording/GridShape.h"
#include "ui/widgets/CellPlanes.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

bool drawCellBoard(const Theme& theme, const lessons::AskedQuestion& asked, lessons::Attempt& attempt, float width) {
  using Of = questions::CellSet::Of;
  const questions::CellSet& answer = asked.answer.cells;
  const lessons::Board& board = asked.board;
  const Palette& colours = theme.colours();
  const std::string what = answer.of == Of::Array     ? answer.array
                           : answer.of == Of::Threads ? tr("threads of the block")
                                                      : tr("lanes of the warp");
  label(theme, colours.textDim, what, answer.of == Of::Array ? Face::Mono : Face::Sans);
  const float across = std::min(static_cast<float>(board.planes()), 4.0F);
  const float room = (width - theme.px(28) * across) / (static_cast<float>(board.columns()) * across);
  const bool told = attempt.revealed || attempt.verdict == lessons::Attempt::Verdict::Right;
  const recording::GridShape shape(answer.extents);
  const auto look = [&](const recording::GridPoint& at, bool hovered) {
    const bool own = shape.contains(at), picked = attempt.cells.contains(board.number(at));
    const bool good = told && answer.contains(at);
    CellLook cell;
    cell.fill = picked ? (good   ? colours.good
                          : told ? colours.fault
                                 : colours.accent)
                : own  ? Theme::mixed(colours.panel, colours.interior, 0.28F)
                       : Theme::mixed(colours.panel, colours.ghost, 0.22F);
    cell.outline = hovered ? colours.text : good && !picked ? colours.good : own ? 0 : colours.ghost;
    return cell;
  };
  const CellPlanes planes{board.low, board.high, std::floor(std::clamp(room, theme.px(7), theme.px(26))), look};
  const auto pointed = drawCellPlanes(theme, planes, width);
  if (!pointed || !pointed->clicked) { return false; }
  const std::int64_t clicked = board.number(pointed->at);
  if (!attempt.cells.erase(clicked)) { attempt.cells.insert(clicked); }
  return true;
}

}  // namespace haloscope::ui
