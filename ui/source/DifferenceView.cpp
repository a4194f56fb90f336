#include "ui/source/DifferenceView.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "program/LineDiff.h"
#include "ui/source/RowText.h"
#include "ui/source/SourceView.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

// Of a run of shared lines so many stay at either end, and a run is folded where that saves a few.
constexpr std::size_t kContext = 3, kLeastFolded = 4;

/// A side of the two.
struct Side {
  std::vector<CodeLine> lines;
  std::vector<CodeRow> rows;
  std::vector<std::pair<std::size_t, std::size_t>> rowsOf;  ///< by line: [first, last) of `rows`
  int firstLine = 1;
  float left = 0, width = 0;  ///< on the screen
};

/// A row of the two texts, or a fold of several.
struct DifferenceRow {
  LinePair pair;
  std::size_t folded = 0;  ///< pairs that it stands for; 0: only `pair`
};

/// From the first line of code on.
std::vector<CodeLine> linesOf(CodeReader& reader, const SourceDifference::Source& source) {
  const std::vector<CodeLine>& all = reader.lines(source.text);
  const auto skipped = std::min(static_cast<std::size_t>(std::max(source.firstLine - 1, 0)), all.size());
  return {all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()};
}

std::vector<DifferenceRow> foldedRows(const std::vector<LinePair>& pairs) {
  std::vector<DifferenceRow> rows;
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin;
    while (end < pairs.size() && pairs[end].kind == LinePair::Kind::Same) { ++end; }
    const std::size_t before = begin == 0 ? 0 : kContext, after = end == pairs.size() ? 0 : kContext;
    const bool folds = end - begin >= before + after + kLeastFolded && end - begin < pairs.size();
    if (folds) {
      for (std::size_t i = begin; i < begin + before; ++i) { rows.push_back({pairs[i]}); }
      rows.push_back({pairs[begin + before], end - begin - before - after});
      for (std::size_t i = end - after; i < end; ++i) { rows.push_back({pairs[i]}); }
    } else {
      for (std::size_t i = begin; i < end; ++i) { rows.push_back({pairs[i]}); }
    }
    if (end < pairs.size()) { rows.push_back({pairs[end++]}); }
    begin = end;
  }
  return rows;
}

class DifferenceView {
 public:
  DifferenceView(AppState& state, const Theme& theme, const SourceDifference& difference, int line)
      : theme_(theme),
        difference_(difference),
        names_{shownFileName(state.catalogue, difference.below.id),
               shownFileName(state.catalogue, difference.above.id)},
        rows_(foldedRows(difference.pairs)),
        current_(line) {
    sides_[kLeft].lines = linesOf(state.code, difference.below);
    sides_[kRight].lines = linesOf(state.code, difference.above);
    sides_[kLeft].firstLine = difference.below.firstLine;
    sides_[kRight].firstLine = difference.above.firstLine;
  }

  void draw() {
    const float footer = legendHeight();
    drawNames();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const float height = std::max(theme_.px(40), ImGui::GetContentRegionAvail().y - footer);
    if (ImGui::BeginChild("difference", {0, height}, ImGuiChildFlags_NavFlattened,
                          ImGuiWindowFlags_AlwaysVerticalScrollbar)) {
      drawRows();
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    drawLegend();
  }

 private:
  static constexpr std::size_t kLeft = 0, kRight = 1;

  [[nodiscard]] bool alone() const { return difference_.alone(); }
  [[nodiscard]] ImU32 colourOf(std::size_t side) const {
    return side == kLeft ? theme_.colours().ghost : theme_.colours().series;
  }
  [[nodiscard]] float legendHeight() const {
    return theme_.textPixels(TextSize::Small) + 2 * ImGui::GetStyle().ItemSpacing.y;
  }

  void drawNames() const {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (alone()) {
      clippedTextAt(list, at, width, theme_.colours().text, names_[kRight]);
    } else {
      clippedTextAt(list, at, width / 2 - theme_.px(12), theme_.colours().textDim, names_[kLeft]);
      clippedTextAt(list, {at.x + width / 2, at.y}, width / 2, theme_.colours().text, names_[kRight]);
    }
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  }

  void drawLegend() const {
    if (alone()) {
      label(theme_, theme_.colours().textDim, tr("the lowest rung: there is none below it"));
      return;
    }
    std::vector<LegendEntry> entries = {{colourOf(kLeft), tr("only in the rung below")},
                                        {colourOf(kRight), tr("only in this rung")},
                                        {colourOf(kRight), tr("changed within the line"), Swatch::Outlined}};
    if (current_ > 0) { entries.push_back({theme_.colours().active, tr("current statement")}); }
    legend(theme_, entries);
  }

  void layOut() {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    charWidth_ = ImGui::GetFontBaked()->GetCharAdvance('0');
    rowHeight_ = sourceRowHeight();
    gutter_ = charWidth_ * 4;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float gap = theme_.px(8);
    const float each = alone() ? width : (width - gap) / 2;
    for (const std::size_t at : {kLeft, kRight}) {
      Side& side = sides_.at(at);
      side.left = at == kLeft || alone() ? origin.x : origin.x + each + gap;
      side.width = each;
      const int count = static_cast<int>(side.lines.size());
      side.rows = wrapCode(side.lines, 0, count, static_cast<int>((each - gutter_ - theme_.px(4)) / charWidth_));
      side.rowsOf.assign(side.lines.size(), {0, 0});
      for (std::size_t row = 0; row < side.rows.size(); ++row) {
        auto& of = side.rowsOf[static_cast<std::size_t>(side.rows[row].line)];
        if (of.second == 0) { of.first = row; }
        of.second = row + 1;
      }
    }
  }

  [[nodiscard]] std::size_t heightOf(const DifferenceRow& row) const {
    std::size_t height = 1;
    if (row.folded > 0) { return height; }
    for (const std::size_t at : {kLeft, kRight}) {
      const int line = at == kLeft ? row.pair.left : row.pair.right;
      if (line < 0) { continue; }
      const auto [first, last] = sides_.at(at).rowsOf[static_cast<std::size_t>(line)];
      height = std::max(height, last - first);
    }
    return height;
  }

  void drawRows() {
    layOut();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    float y = origin.y;
    float firstChange = -1;
    for (const DifferenceRow& row : rows_) {
      const float height = static_cast<float>(heightOf(row)) * rowHeight_;
      const bool changed = row.pair.kind != LinePair::Kind::Same;
      if (changed && firstChange < 0) { firstChange = y - origin.y; }
      if (ImGui::IsRectVisible({origin.x, y}, {origin.x + 1, y + height})) {
        row.folded > 0 ? drawFold(row, origin.x, y) : drawPair(row.pair, y, height);
      }
      y += height;
    }
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, y - origin.y});
    // Another pair of texts begins where they begin to differ.
    const std::hash<std::string> hash;
    if (storedChanged("difference", 31 * hash(difference_.below.text) + hash(difference_.above.text))) {
      ImGui::SetScrollY(std::max(0.0F, firstChange - static_cast<float>(kContext) * rowHeight_));
    }
  }

  void drawFold(const DifferenceRow& row, float left, float y) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float top = y + (rowHeight_ - ImGui::GetTextLineHeight()) / 2;
    textAt(ImGui::GetWindowDrawList(), {left + gutter_, top}, theme_.colours().textDim,
           trf("… {} lines that both have", row.folded));
  }

  void drawPair(const LinePair& pair, float y, float height) const {
    for (const std::size_t at : {kLeft, kRight}) {
      if (at == kLeft && alone()) { continue; }
      const Side& side = sides_.at(at);
      // A long comment is one token, which is not wrapped.
      ImGui::PushClipRect({side.left, y}, {side.left + side.width, y + height}, true);
      drawSide(at, pair, y, height);
      ImGui::PopClipRect();
    }
  }

  void drawSide(std::size_t at, const LinePair& pair, float y, float height) const {
    const Side& side = sides_.at(at);
    const int line = at == kLeft ? pair.left : pair.right;
    if (line < 0) { return; }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Palette& colours = theme_.colours();
    const ImVec2 min{side.left, y}, max{side.left + side.width, y + height};
    if (pair.kind != LinePair::Kind::Same) {
      const float strength = pair.kind == LinePair::Kind::Apart ? 0.26F : 0.12F;
      list->AddRectFilled(min, max, theme_.faded(colourOf(at), strength));
      list->AddRectFilled(min, {min.x + theme_.px(3), max.y}, colourOf(at));
    }
    const int number = line + side.firstLine;
    if (at == kRight && number == current_) { list->AddRectFilled(min, {min.x + theme_.px(3), max.y}, colours.active); }
    const std::string numberText = std::to_string(number);
    const auto [first, last] = side.rowsOf[static_cast<std::size_t>(line)];
    const float textTop = y + (rowHeight_ - ImGui::GetTextLineHeight()) / 2;
    textAt(list, {side.left + gutter_ - charWidth_ - textWidth(numberText), textTop},
           theme_.faded(colours.textDim, 0.75F), numberText);
    for (std::size_t row = first; row < last; ++row) {
      const float top = y + static_cast<float>(row - first) * rowHeight_;
      if (pair.kind == LinePair::Kind::Changed) { outlineChange(at, pair, side.rows[row], top); }
      textOf(side, side.rows[row]).draw(theme_, textTop + top - y);
    }
  }

  [[nodiscard]] RowText textOf(const Side& side, const CodeRow& row) const {
    return {side.lines[static_cast<std::size_t>(row.line)], row, side.left + gutter_, charWidth_};
  }

  /// What differs within a line that both have.
  void outlineChange(std::size_t at, const LinePair& pair, const CodeRow& row, float top) const {
    const std::string_view left = sides_[kLeft].lines[static_cast<std::size_t>(pair.left)].text;
    const std::string_view right = sides_[kRight].lines[static_cast<std::size_t>(pair.right)].text;
    const auto [begin, end] = at == kLeft ? changedPart(left, right) : changedPart(right, left);
    const int from = std::max(static_cast<int>(begin), row.begin), to = std::min(static_cast<int>(end), row.end);
    if (from >= to) { return; }
    const RowText text = textOf(sides_.at(at), row);
    const ImVec2 min{text.x(from) - theme_.px(1), top + 1};
    const ImVec2 max{text.x(to) + theme_.px(1), top + rowHeight_ - 1};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(min, max, theme_.faded(colourOf(at), 0.24F), theme_.px(2));
    list->AddRect(min, max, theme_.faded(colourOf(at), 0.8F), theme_.px(2));
  }

  const Theme& theme_;
  const SourceDifference& difference_;
  std::array<std::string, 2> names_;
  std::array<Side, 2> sides_;
  std::vector<DifferenceRow> rows_;
  int current_ = 0;  ///< line of the right source
  float charWidth_ = 0, rowHeight_ = 0, gutter_ = 0;
};

}  // namespace

void drawDifference(AppState& state, const Theme& theme, const SourceDifference& difference, int line) {
  DifferenceView(state, theme, difference, line).draw();
}

}  // namespace haloscope::ui
