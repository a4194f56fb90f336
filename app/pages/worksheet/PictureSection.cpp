#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cells/Palette.h"
#include "language/Text.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

using recording::Role;

constexpr double kLargestCell = 22, kSmallestCell = 13;
constexpr double kMostHeight = 540;  // of the grids, if their cells can be made small enough
constexpr double kGridGap = 14;
const cells::Palette& kHues = cells::paletteOf(true);

Colour printed(cells::Colour colour) {
  const auto channel = [&](unsigned shift) { return static_cast<double>(colour >> shift & 0xffU) / 255; };
  return {channel(0), channel(8), channel(16)};
}

/// Colours for those who have them, those of the light theme; what matters is the pattern.
struct CellStyle {
  Pattern pattern = Pattern::None;
  Colour lines = kPaper, fill = kPaper;
};

CellStyle styleOf(const PictureCell& cell) {
  if (!cell.known) { return {Pattern::None, kPaper, grey(0.95)}; }
  switch (cell.role) {
    case Role::Halo:
      return {Pattern::Diagonal, printed(cells::mixed(kHues.panel, kHues.halo, 0.7F)),
              printed(cells::mixed(kHues.panel, kHues.halo, 0.1F))};
    case Role::Ghost:
      return {Pattern::Crossed, grey(0.68), kPaper};
    case Role::Unwritten:
    case Role::Pending:
      return {Pattern::Dots, grey(0.55), kPaper};
    default:
      return {};
  }
}

/// Of its name: an array that takes part in a rotation has its plane's colour, as everywhere.
Colour colourOf(const PictureGrid& grid) {
  return grid.place == recording::RotationPlace::None ? kInk : printed(cells::colourOf(kHues, grid.place));
}

/// "a", "b", … "z", "aa".
std::string letterOf(int number) {
  std::string letters;
  for (int left = number + 1; left > 0; left = (left - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('a' + (left - 1) % 26));
  }
  return letters;
}

/// A grid with the size of its cells.
class GridDrawing {
 public:
  GridDrawing(const SheetWriter& writer, const PictureGrid& grid, double edge)
      : grid_(grid),
        edge_(edge),
        title_(writer.fonts(), {{grid.title, {Face::MonoStrong, 8.2, colourOf(grid)}},
                                {grid.kind.empty() ? "" : "  " + grid.kind, {Face::Sans, kSmall, kDim}}}),
        solved_(writer.solutions()) {
    const Style label{Face::Mono, std::min(5.6, edge * 0.34), kDim};
    for (const std::string& name : grid.rowNames) {
      rowNames_.emplace_back(writer.fonts(), name, label);
      label_ = std::max(label_, rowNames_.back().width() + 3);
    }
    for (const std::string& name : grid.columnNames) { columnNames_.emplace_back(writer.fonts(), name, label); }
    const double size = std::min(7.6, edge * 0.40);
    for (const PictureCell& cell : grid.cells) {
      const bool isBlank = cell.blank >= 0;
      std::string value = cell.shown ? cellText(cell.type, cell.cell.bits) : std::string();
      Style style{isBlank ? Face::MonoStrong : Face::Mono, size, isBlank ? kAnswer : kInk};
      Text text(writer.fonts(), value, style);
      if (text.width() > edge - 2.5) {
        style.size *= (edge - 2.5) / text.width();
        text = Text(writer.fonts(), value, style);
      }
      values_.push_back(std::move(text));
      letters_.emplace_back(writer.fonts(), isBlank ? letterOf(cell.blank) : std::string(),
                            Style{Face::Strong, 5, kInk});
    }
  }

  [[nodiscard]] double width() const {
    return std::max(label_ + static_cast<double>(grid_.columns) * edge_, title_.width());
  }
  [[nodiscard]] double height() const { return top() + static_cast<double>(grid_.rows) * edge_; }

  void draw(const Pen& pen, double x, double y) const {
    pen.text(title_, x, y);
    const double left = x + label_;
    y += top();
    for (std::size_t i = 0; i < columnNames_.size(); ++i) {
      const double middle = left + (static_cast<double>(i) + 0.5) * edge_;
      pen.text(columnNames_[i], middle - columnNames_[i].width() / 2, y - columnNames_[i].height() - 0.5);
    }
    for (std::size_t i = 0; i < rowNames_.size(); ++i) {
      const double middle = y + (static_cast<double>(i) + 0.5) * edge_;
      pen.text(rowNames_[i], left - 2 - rowNames_[i].width(), middle - rowNames_[i].height() / 2);
    }
    // Frames last: a thick one is not covered by its neighbours.
    const auto each = [&](auto&& drawCell) {
      for (std::size_t i = 0; i < grid_.cells.size(); ++i) {
        const auto columns = static_cast<std::size_t>(grid_.columns);
        drawCell(i, left + static_cast<double>(i % columns) * edge_, y + static_cast<double>(i / columns) * edge_);
      }
    };
    each([&](std::size_t i, double cx, double cy) { drawInside(pen, i, cx, cy); });
    each([&](std::size_t i, double cx, double cy) {
      if (grid_.cells[i].blank >= 0) { pen.frame(cx + 0.6, cy + 0.6, edge_ - 1.2, edge_ - 1.2, 1.3, kInk); }
    });
  }

 private:
  [[nodiscard]] double top() const {
    return title_.height() + 2 + (columnNames_.empty() ? 0 : columnNames_.front().height() + 0.5);
  }

  void drawInside(const Pen& pen, std::size_t i, double x, double y) const {
    const PictureCell& cell = grid_.cells[i];
    const CellStyle style = styleOf(cell);
    pen.fill(x, y, edge_, edge_, style.fill);
    const bool hidden = cell.blank >= 0 && !solved_;
    pen.pattern(x, y, edge_, edge_, style.pattern, style.lines);
    pen.frame(x, y, edge_, edge_, 0.4, cell.known ? kRule : kFaint);
    const Text& value = values_[i];
    const double left = x + (edge_ - value.width()) / 2, top = y + (edge_ - value.height()) / 2;
    if (cell.blank >= 0) {
      pen.fill(x + 1, y + 1, edge_ - 2, edge_ - 2, kPaper);
    } else if (cell.shown && style.pattern != Pattern::None) {
      pen.fill(left - 0.8, top + 1, value.width() + 1.6, value.height() - 2, kPaper);
    }
    if (cell.operand) { pen.ring(x + edge_ / 2, y + edge_ / 2, edge_ * 0.44, 0.8, kInk); }
    if (!hidden) { pen.text(value, left, cell.blank >= 0 ? top + 1.4 : top); }  // below the letter
    if (cell.blank >= 0) { pen.text(letters_[i], x + 2.2, y + 0.6); }
    if (cell.changed) { pen.corner(x + edge_ - 0.8, y + 0.8, edge_ * 0.2, kInk); }
    if (cell.faulty && solved_) { pen.cross(x + edge_ * 0.68, y + edge_ * 0.68, edge_ * 0.22, 1); }
  }

  PictureGrid grid_;
  double edge_, label_ = 0;
  Text title_;
  bool solved_;
  std::vector<Text> rowNames_, columnNames_, values_, letters_;
};

using GridRow = std::vector<GridDrawing>;

double widthOf(const GridRow& row) {
  double width = -kGridGap;
  for (const GridDrawing& grid : row) { width += grid.width() + kGridGap; }
  return width;
}

double heightOf(const GridRow& row) {
  double height = 0;
  for (const GridDrawing& grid : row) { height = std::max(height, grid.height()); }
  return height;
}

/// Groups are not divided where they fit into a row of their own.
std::vector<GridRow> rowsOf(const SheetWriter& writer, const std::vector<PictureGrid>& grids, double edge) {
  std::vector<GridRow> rows(1);
  const auto room = [&](double width) {
    return rows.back().empty() || widthOf(rows.back()) + kGridGap + width <= writer.width();
  };
  for (std::size_t i = 0; i < grids.size();) {
    GridRow group;
    for (const PictureGrid::Group kind = grids[i].group; i < grids.size() && grids[i].group == kind; ++i) {
      group.emplace_back(writer, grids[i], edge);
    }
    if (!room(widthOf(group))) { rows.emplace_back(); }
    for (GridDrawing& grid : group) {
      if (!room(grid.width())) { rows.emplace_back(); }
      rows.back().push_back(std::move(grid));
    }
  }
  return rows;
}

/// In as few rows as the smallest cells need, with cells as large as that allows.
void addGrids(SheetWriter& writer, const BlockPicture& picture) {
  const std::size_t fewest = rowsOf(writer, picture.grids, kSmallestCell).size();
  std::vector<GridRow> rows;
  for (double edge = kLargestCell; edge >= kSmallestCell; edge -= 0.5) {
    rows = rowsOf(writer, picture.grids, edge);
    double height = 0;
    for (const GridRow& row : rows) { height += heightOf(row) + 10; }
    if (height <= kMostHeight && rows.size() <= fewest) { break; }
  }
  for (GridRow& row : rows) {
    Piece piece;
    piece.height = heightOf(row);
    piece.before = 10;
    piece.draw = [row](const Pen& pen, double x, double y) {
      for (const GridDrawing& grid : row) {
        grid.draw(pen, x, y);
        x += grid.width() + kGridGap;
      }
    };
    writer.add(std::move(piece));
  }
}

/// What the marks of the cells mean, as far as the picture has them.
void addLegend(SheetWriter& writer, const BlockPicture& picture) {
  struct Entry {
    PictureCell cell;
    Text text;
  };
  std::vector<Entry> entries;
  const auto add = [&](const PictureCell& cell, const char* what) {
    entries.push_back({cell, Text(writer.fonts(), what, {Face::Sans, kSmall})});
  };
  const auto any = [&](auto&& has) {
    return std::ranges::any_of(picture.grids,
                               [&](const PictureGrid& grid) { return std::ranges::any_of(grid.cells, has); });
  };
  PictureCell plain;
  plain.known = true;
  plain.role = Role::Interior;
  const auto role = [&](Role wanted, const char* what) {
    if (!any([&](const PictureCell& cell) { return cell.known && cell.role == wanted; })) { return; }
    PictureCell cell = plain;
    cell.role = wanted;
    add(cell, what);
  };
  role(Role::Interior, tr("interior: its output is computed by this block"));
  role(Role::Halo, tr("halo: loaded for the outputs beside it"));
  role(Role::Ghost, tr("ghost: outside the array"));
  if (any([](const PictureCell& cell) {
        return cell.known && (cell.role == Role::Unwritten || cell.role == Role::Pending);
      })) {
    PictureCell cell = plain;
    cell.role = Role::Unwritten;
    add(cell, tr("not written yet"));
  }
  if (any([](const PictureCell& cell) { return cell.blank >= 0; })) {
    PictureCell cell = plain;
    cell.blank = 0;
    add(cell, tr("to be filled in"));
  }
  if (any([](const PictureCell& cell) { return cell.operand; })) {
    PictureCell cell = plain;
    cell.operand = true;
    add(cell, tr("goes into the output of the thread below"));
  }
  if (any([](const PictureCell& cell) { return cell.changed; })) {
    PictureCell cell = plain;
    cell.changed = true;
    add(cell, tr("written by this step"));
  }
  if (writer.solutions() && any([](const PictureCell& cell) { return cell.faulty; })) {
    PictureCell cell = plain;
    cell.faulty = true;
    add(cell, tr("a fault reaches it"));
  }
  constexpr double kBox = 11, kLine = 15;
  struct Placed {
    double x, y;
    std::size_t entry;
  };
  std::vector<Placed> places;
  double x = 0, y = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double width = kBox + 5 + entries[i].text.width();
    if (x > 0 && x + width > writer.width()) {
      x = 0;
      y += kLine;
    }
    places.push_back({x, y, i});
    x += width + 14;
  }
  // That of faults, which the blank version does not have, may need another line.
  const double room = std::max(y + kLine, any([](const PictureCell& cell) { return cell.faulty; }) ? 3 * kLine : 0.0);
  const bool solved = writer.solutions();
  Piece piece;
  piece.height = room;
  piece.before = 9;
  piece.draw = [entries, places, solved](const Pen& pen, double left, double top) {
    for (const Placed& place : places) {
      const Entry& entry = entries[place.entry];
      const double at = left + place.x, down = top + place.y;
      const CellStyle style = styleOf(entry.cell);
      pen.fill(at, down, kBox, kBox, style.fill);
      pen.pattern(at, down, kBox, kBox, style.pattern, style.lines);
      pen.frame(at, down, kBox, kBox, 0.4, kRule);
      if (entry.cell.blank >= 0) { pen.frame(at + 0.6, down + 0.6, kBox - 1.2, kBox - 1.2, 1.3, kInk); }
      if (entry.cell.operand) { pen.ring(at + kBox / 2, down + kBox / 2, kBox * 0.42, 0.8, kInk); }
      if (entry.cell.changed) { pen.corner(at + kBox - 0.8, down + 0.8, kBox * 0.3, kInk); }
      if (entry.cell.faulty && solved) { pen.cross(at + kBox * 0.6, down + kBox * 0.6, kBox * 0.3, 1); }
      pen.text(entry.text, at + kBox + 5, down + (kBox - entry.text.height()) / 2);
    }
  };
  writer.add(std::move(piece));
}

/// Each blank with the room for how it comes about. Copies are short: two in a line.
void addBlanks(SheetWriter& writer, const std::vector<Blank>& blanks) {
  struct Line {
    Text name;
    Gap derivation, value;
  };
  const auto sizeOf = [](const Line& line) {
    return line.name.width() + line.derivation.width() + line.value.width() + 34;
  };
  const auto pieceOf = [&](const std::vector<Line>& lines, double column) {
    const Text arrow(writer.fonts(), "=", {Face::Mono, kCode});
    Piece piece;
    piece.height = kRuled;
    piece.draw = [lines, column, arrow](const Pen& pen, double x, double y) {
      const double baseline = y + kRuled - 5;
      for (const Line& line : lines) {
        double at = x;
        pen.text(line.name, at, baseline - line.name.baseline());
        at += line.name.width() + 5;
        pen.text(arrow, at, baseline - arrow.baseline());
        at += arrow.width() + 5;
        line.derivation.draw(pen, at, baseline);
        at += line.derivation.width() + 5;
        pen.text(arrow, at, baseline - arrow.baseline());
        at += arrow.width() + 5;
        line.value.draw(pen, at, baseline);
        x += column;
      }
    };
    writer.add(std::move(piece));
  };
  std::vector<Line> copies;
  for (std::size_t i = 0; i < blanks.size(); ++i) {
    const Blank& blank = blanks[i];
    const Text name(writer.fonts(), {{letterOf(static_cast<int>(i)) + "   ", {Face::Strong, kBody}},
                                     {blank.name, {Face::Mono, kCode}}});
    const Gap value(writer, blank.value, kCode);
    const double left = writer.width() - name.width() - value.width() - 40;
    const double derivation = blank.copy ? mm(30) : std::min(left, mm(105));
    double size = 7.6;
    while (size > 4.5 && Gap(writer, blank.derivation, size).width() > left) { size -= 0.3; }
    Line line{name, Gap(writer, blank.derivation, size, derivation), value};
    if (blank.copy && sizeOf(line) <= writer.width() / 2) {
      copies.push_back(std::move(line));
      if (copies.size() == 2) {
        pieceOf(copies, writer.width() / 2);
        copies.clear();
      }
      continue;
    }
    if (!copies.empty()) { pieceOf(copies, writer.width() / 2); }
    copies.clear();
    pieceOf({line}, 0);
  }
  if (!copies.empty()) { pieceOf(copies, writer.width() / 2); }
}

}  // namespace

void addPicture(SheetWriter& writer, const ChapterSheet& sheet) {
  const BlockPicture& picture = sheet.picture;
  const experiment::Experiment& experiment = *sheet.chapter.experiment;
  const recording::Recording& recording = *experiment.recording;
  if (picture.grids.empty()) { return; }
  writer.heading(tr("The block"));
  std::string when =
      trf("Block {} after step {} of {}", text(experiment.block), picture.position, recording.steps.size());
  if (picture.position > 0) {
    const recording::Step& step = recording.steps[picture.position - 1];
    if (step.statement != kNone) {
      when += trf(", line {}", experiment.program->statements[step.statement].range.line);
    }
    when += trf(", barrier interval {}", step.interval);
  }
  const char* task =
      sheet.blanks.empty() ? "" : tr("Fill in the framed cells; below, write where each value comes from.");
  writer.sentence(trf("{}. {}", when, task), {}, 4, true);
  for (const std::string& sentence : picture.leftOut) {
    writer.sentence(sentence, {Face::Sans, kSmall, kDim}, 2, true);
  }
  addGrids(writer, picture);
  addLegend(writer, picture);
  addBlanks(writer, sheet.blanks);
}

}  // namespace haloscope::worksheet
