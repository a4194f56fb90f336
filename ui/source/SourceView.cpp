#include "ui/source/SourceView.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actions/Barriers.h"
#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "ui/source/CurrentCode.h"
#include "ui/source/RowText.h"
#include "ui/source/SourceSearch.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

/// Text a panel of the given width can show, in rows, and where it is on the screen.
struct Listing {
  const std::vector<CodeLine>* lines = nullptr;
  std::vector<CodeRow> rows;
  float charWidth = 0, rowHeight = 0;
  float gutter = 0;  ///< left of the text: heat and line number
  float numberRight = 0;
  float noteHeight = 0;  ///< of the message below the problem's line
  int noteAfter = -1;    ///< index of that line
  bool folded = false;   ///< the first row represents the header
  float foldHeight = 0;

  /// Top of a row below the listing's origin.
  [[nodiscard]] float top(std::size_t row) const {
    const bool below = noteAfter >= 0 && rows[row].line > noteAfter;
    return foldHeight + static_cast<float>(row) * rowHeight + (below ? noteHeight : 0);
  }
  [[nodiscard]] float height() const { return foldHeight + static_cast<float>(rows.size()) * rowHeight + noteHeight; }
};

/// The text to show: the experiment's, or the faulty one that a problem refers to.
struct Shown {
  std::string_view text;
  int firstCodeLine = 1;
  bool executed = true;  ///< the text is the one that the recording belongs to
};

Shown shownText(const AppState& state) {
  if (state.problem && state.problem->where.valid() && !state.problem->text.empty()) {
    return {state.problem->text, 1, false};
  }
  return {state.experiment->file.text, state.experiment->file.firstCodeLine, true};
}

bool covers(const SourceRange& range, int line) { return range.valid() && range.line <= line && line <= range.endLine; }

/// Byte columns [first, second) of a row that a range covers; empty if none.
std::pair<int, int> covered(const SourceRange& range, const CodeLine& line, const CodeRow& row) {
  const int number = row.line + 1;
  if (!covers(range, number)) { return {0, 0}; }
  const int textBegin = line.tokens.empty() ? 0 : line.tokens.front().begin;
  const int begin = number == range.line ? range.column - 1 : textBegin;
  const int end = number == range.endLine ? range.endColumn - 1 : static_cast<int>(line.text.size());
  return {std::max(begin, row.begin), std::min(end, row.end)};
}

class SourceView {
 public:
  SourceView(AppState& state, const Theme& theme, const Shown& shown, HeatMeasure measure,
             std::vector<Occurrence> found)
      : state_(state),
        theme_(theme),
        shown_(shown),
        measure_(measure),
        found_(std::move(found)),
        names_(nameColours(state, theme)) {
    if (shown_.executed) {
      heat_ = statementHeat(*state.experiment, measure);
      current_ = currentCode(state);
      barriers_ = state.experiment->barriers;
      hostLine_ = hostLineIn(state, state.experiment->file);
    }
    if (state.problem && state.problem->where.valid()) {
      problem_ = state.problem->where;
      message_ = state.problem->message;
    }
  }

  void draw() {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    layOut();
    origin_ = ImGui::GetCursorScreenPos();
    list_ = ImGui::GetWindowDrawList();
    width_ = ImGui::GetContentRegionAvail().x;
    if (listing_.folded) { drawFold(); }
    for (std::size_t row = 0; row < listing_.rows.size();) { row = drawLine(row); }
    ImGui::SetCursorScreenPos(origin_);
    ImGui::Dummy({width_, listing_.height()});
    followCursor();
  }

 private:
  void layOut() {
    listing_.lines = &state_.code.lines(shown_.text);
    const int count = static_cast<int>(listing_.lines->size());
    const bool open = storedInt("header open", 0) != 0;
    const int hidden = std::min(shown_.firstCodeLine - 1, count);
    const bool problemInHeader = problem_.valid() && problem_.line <= hidden;
    const bool foundInHeader = shownOccurrence() != nullptr && shownOccurrence()->line < hidden;
    listing_.folded = hidden > 0;
    const int first = open || problemInHeader || foundInHeader ? 0 : hidden;

    listing_.charWidth = ImGui::GetFontBaked()->GetCharAdvance('0');  // unlike a text's width not rounded
    listing_.rowHeight = sourceRowHeight();
    listing_.foldHeight = listing_.folded ? listing_.rowHeight : 0;
    const float digits = static_cast<float>(std::max<std::size_t>(2, std::to_string(count).size()));
    listing_.numberRight = theme_.px(30) + digits * listing_.charWidth;
    listing_.gutter = listing_.numberRight + theme_.px(9);
    const float room = ImGui::GetContentRegionAvail().x - listing_.gutter;
    listing_.rows = wrapCode(*listing_.lines, first, count, static_cast<int>(room / listing_.charWidth));
    if (problem_.valid()) {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      listing_.noteAfter = problem_.line - 1;
      listing_.noteHeight = ImGui::CalcTextSize(message_.c_str(), nullptr, false, room).y + theme_.px(8);
    }
  }

  void drawFold() {
    const bool open = storedInt("header open", 0) != 0;
    ImGui::SetCursorScreenPos(origin_);
    if (ImGui::InvisibleButton("header", {width_, listing_.rowHeight}, ImGuiButtonFlags_EnableNav)) {
      store("header open", open ? 0 : 1);
    }
    const Palette& colours = theme_.colours();
    const ImU32 colour = ImGui::IsItemHovered() ? colours.text : colours.textDim;
    // A triangle that points right (folded) or down (open).
    const float size = listing_.rowHeight * 0.2F;
    const ImVec2 at{origin_.x + listing_.numberRight - size, origin_.y + listing_.rowHeight / 2};
    if (open) {
      list_->AddTriangleFilled({at.x - size, at.y - size / 2}, {at.x + size, at.y - size / 2}, {at.x, at.y + size},
                               colour);
    } else {
      arrowAt(list_, at, size, 1, colour);
    }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const std::string text = trf("header: how to launch it, lines 1 to {}", shown_.firstCodeLine - 1);
    textAt(list_, {origin_.x + listing_.gutter, origin_.y + theme_.px(1)}, colour, text);
  }

  /// Draws all rows of one line and its item. Returns the first row of the next line.
  std::size_t drawLine(std::size_t row) {
    const int line = listing_.rows[row].line;
    std::size_t end = row + 1;
    while (end < listing_.rows.size() && listing_.rows[end].line == line) { ++end; }
    const float top = origin_.y + listing_.top(row);
    const float height = listing_.rowHeight * static_cast<float>(end - row);
    const bool noted = line == listing_.noteAfter;
    const float bottom = top + height + (noted ? listing_.noteHeight : 0);
    // One row beyond the view on either side, so that the keyboard can walk out of it.
    if (!ImGui::IsRectVisible({origin_.x, top - listing_.rowHeight}, {origin_.x + 1, bottom + listing_.rowHeight})) {
      return end;
    }
    lineItem(line, top, height);
    if (barriers_.contains(line + 1)) { barrierToggle(line + 1, top); }
    background(line, top, height);
    gutter(line, top);
    for (std::size_t i = row; i < end; ++i) { drawRow(listing_.rows[i], origin_.y + listing_.top(i)); }
    if (noted) { problemNote(top + height); }
    return end;
  }

  void lineItem(int line, float top, float height) {
    ImGui::SetCursorScreenPos({origin_.x, top});
    ImGui::PushID(line);
    ImGui::SetNextItemAllowOverlap();
    if (ImGui::InvisibleButton("line", {width_, height}, ImGuiButtonFlags_EnableNav) && shown_.executed) {
      state_.cursor.goToLine(line + 1, !ImGui::GetIO().KeyShift);
    }
    if (lastItemAsked() && shown_.executed) {
      state_.selection.hoveredLine = line + 1;
      list_->AddRectFilled({origin_.x, top}, {origin_.x + width_, top + height},
                           theme_.faded(theme_.colours().text, 0.05F));
      lineTooltip(theme_, *state_.experiment, line + 1);
    }
    ImGui::PopID();
  }

  /// At the right end of a barrier's line: removes it from the execution, or restores it.
  void barrierToggle(int line, float top) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const Palette& colours = theme_.colours();
    const bool out = state_.choice.withoutBarriers.contains(line);
    const char* text = out ? tr("restore") : tr("remove");
    const ImVec2 size{textWidth(text) + theme_.px(12), listing_.rowHeight};
    const ImVec2 at{origin_.x + width_ - size.x - theme_.px(4), top};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(line);
    if (ImGui::InvisibleButton("barrier", size, ImGuiButtonFlags_EnableNav)) { toggleBarrier(state_, line); }
    ImGui::PopID();
    const bool asked = lastItemAsked();
    const ImU32 colour = out ? colours.fault : asked ? colours.text : colours.textDim;
    list_->AddRect({at.x, at.y + theme_.px(1)}, {at.x + size.x, at.y + size.y - theme_.px(1)},
                   theme_.faded(colour, asked || out ? 0.9F : 0.45F), theme_.px(4));
    textAt(list_, {at.x + theme_.px(6), textTop(top)}, colour, text);
    if (!asked) { return; }
    const Tooltip tip(theme_);
    tip.title(out ? tr("executed without this barrier") : tr("the barrier"));
    tip.note(trf("{} it ({}): the source is unchanged; the kernel is executed {} this line", text,
                 keyText(toggleBarrierAtCursor), out ? tr("with") : tr("without")));
  }

  void background(int line, float top, float height) {
    const Palette& colours = theme_.colours();
    const ImVec2 min{origin_.x, top};
    const ImVec2 max{origin_.x + width_, top + height};
    if (covers(problem_, line + 1)) {
      list_->AddRectFilled(min, max, theme_.faded(colours.fault, 0.22F));
    } else if (covers(current_.statement, line + 1)) {
      list_->AddRectFilled(min, max, theme_.faded(colours.accent, 0.20F));
      list_->AddRectFilled(min, {min.x + theme_.px(3) + 1, max.y}, colours.activeEdge);
      list_->AddRectFilled(min, {min.x + theme_.px(3), max.y}, colours.active);
    } else if (line + 1 == hostLine_) {
      // The call of the host, not the kernel's step: without the current step's yellow.
      list_->AddRectFilled(min, max, theme_.faded(colours.text, 0.12F));
      list_->AddRectFilled(min, {min.x + theme_.px(3), max.y}, colours.text);
    } else if (covers(current_.call, line + 1)) {
      list_->AddRectFilled(min, max, theme_.faded(colours.accent, 0.09F));
    }
  }

  void gutter(int line, float top) {
    const Palette& colours = theme_.colours();
    const float room = theme_.px(18);
    const float left = origin_.x + theme_.px(6);
    if (static_cast<std::size_t>(line) < heat_.size() && heat_[static_cast<std::size_t>(line)].counted) {
      const double share = heat_[static_cast<std::size_t>(line)].bar;
      const float inset = std::round(listing_.rowHeight * 0.28F);
      const ImVec2 min{left, top + inset};
      const float bottom = top + listing_.rowHeight - inset;
      list_->AddRectFilled(min, {left + room, bottom}, theme_.faded(colours.textDim, 0.16F));
      if (share > 0) {
        const float length = std::max(theme_.px(1.5F), room * static_cast<float>(share));
        list_->AddRectFilled(min, {left + length, bottom}, heatColour(theme_, measure_));
      }
    }
    for (const faults::Finding& finding : findings(state_)) {
      if (!shown_.executed || finding.where.line != line + 1) { continue; }
      const ImVec2 centre{origin_.x + theme_.px(3), top + listing_.rowHeight / 2};
      list_->AddCircleFilled(centre, theme_.px(3), colours.fault);
      break;
    }
    const std::string number = std::to_string(line + 1);
    const ImVec2 at{origin_.x + listing_.numberRight - textWidth(number), textTop(top)};
    const bool here = covers(current_.statement, line + 1) || line + 1 == hostLine_;
    textAt(list_, at, here ? colours.text : theme_.faded(colours.textDim, 0.75F), number);
  }

  /// Of what is searched for: the one that was gone to; null: there is none.
  [[nodiscard]] const Occurrence* shownOccurrence() const {
    const auto shown = static_cast<std::size_t>(state_.search.shown);
    return shown < found_.size() ? &found_[shown] : nullptr;
  }

  void drawFound(const RowText& text, float top) {
    const CodeRow& row = text.row;
    const auto first = std::ranges::lower_bound(found_, row.line, {}, &Occurrence::line);
    for (auto one = first; one != found_.end() && one->line == row.line; ++one) {
      const int begin = std::max(one->begin, row.begin), end = std::min(one->end, row.end);
      if (begin >= end) { continue; }
      const ImVec2 min{text.x(begin), top}, max{text.x(end), top + listing_.rowHeight};
      list_->AddRectFilled(min, max, theme_.faded(theme_.colours().halo, 0.3F), theme_.px(2));
      if (&*one == shownOccurrence()) {
        list_->AddRect(min, max, theme_.colours().halo, theme_.px(2), theme_.px(1.5F));
      }
    }
  }

  void drawRow(const CodeRow& row, float top) {
    const RowText text = textOf(row);
    drawFound(text, top);
    for (const SourceRange& range : {current_.statement, current_.call}) { underline(range, text, top); }
    if (problem_.valid()) { underline(problem_, text, top); }
    text.draw(theme_, textTop(top), names_);
    const std::vector<Token>& tokens = text.line.tokens;
    if (shown_.executed && state_.choice.withoutBarriers.contains(row.line + 1) && !tokens.empty()) {
      const float middle = std::round(top + listing_.rowHeight / 2);
      list_->AddLine({text.x(std::max(row.begin, tokens.front().begin)), middle}, {text.x(row.end), middle},
                     theme_.colours().fault, std::max(1.0F, theme_.px(1.5F)));
    }
  }

  /// The exact range within a row: a tint, and a line below.
  void underline(const SourceRange& range, const RowText& text, float top) {
    const auto [begin, end] = covered(range, text.line, text.row);
    if (begin >= end) { return; }
    const Palette& colours = theme_.colours();
    const bool isProblem = range == problem_;
    const bool isCall = range == current_.call;
    const ImU32 colour = isProblem ? colours.fault : colours.activeText;
    const float left = text.x(begin);
    const float right = text.x(end);
    const float bottom = top + listing_.rowHeight - theme_.px(1);
    if (!isCall) { list_->AddRectFilled({left, top}, {right, bottom}, theme_.faded(colour, 0.10F)); }
    list_->AddRectFilled({left, bottom - std::max(1.0F, theme_.px(1.5F))}, {right, bottom},
                         isCall ? theme_.faded(colour, 0.5F) : colour);
  }

  void problemNote(float top) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float left = origin_.x + listing_.gutter;
    const ImU32 ink = Theme::mixed(theme_.colours().fault, theme_.colours().text, 0.3F);  // to be read, not only seen
    list_->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {left, top + theme_.px(3)}, ink, message_.c_str(), nullptr,
                   origin_.x + width_ - left);
  }

  /// Keeps in view what was chosen last: the current statement, when the cursor has moved, or the host's call.
  void followCursor() {
    const std::uint64_t place = problem_.valid() ? std::uint64_t{0} : std::uint64_t{state_.cursor.position()} + 1;
    // Not short-circuited: all have to be remembered.
    const bool moved = storedChanged("position", place);
    const bool rewrapped = storedChanged("rows", listing_.rows.size());
    const bool resized = storedChanged("height", static_cast<std::uint64_t>(ImGui::GetWindowHeight()));
    const bool renewed = storedChanged("execution", execution()) || rewrapped || resized;
    const bool called = storedChanged("host line", static_cast<std::uint64_t>(hostLine_));
    const Occurrence* occurrence = shownOccurrence();
    const bool searched = storedChanged(
        "searched", std::hash<std::string>{}(fmt::format("{} {}", state_.search.shown, state_.search.query)));
    if (searched && occurrence != nullptr) {
      const int line = occurrence->line + 1;
      return bringIntoView({line, 1, line, 1});
    }
    if (called || (moved && !renewed)) { store("follows host", called && hostLine_ > 0 ? 1 : 0); }
    const SourceRange host{hostLine_, 1, hostLine_, 1};
    const SourceRange kernel = wholeKernel();
    const SourceRange& target = problem_.valid()                                     ? problem_
                                : storedInt("follows host", 0) != 0 && hostLine_ > 0 ? host
                                : current_.statement.valid()                         ? current_.statement
                                                                                     : kernel;
    if (!(moved || renewed || called) || !target.valid()) { return; }
    bringIntoView(target);
  }

  /// What tells the block's execution from others, wherever in memory it lies.
  [[nodiscard]] std::uint64_t execution() const {
    const experiment::Experiment& shown = *state_.experiment;
    const std::size_t steps = shown.recording != nullptr ? shown.recording->steps.size() : 0;
    const std::size_t text = std::hash<std::string>{}(shown.file.text);
    return std::hash<std::string>{}(
        fmt::format("{} {} {} {}", shown.file.id, text, haloscope::text(shown.block), steps));
  }

  /// From its name to its last statement.
  [[nodiscard]] SourceRange wholeKernel() const {
    SourceRange range = state_.experiment->program->kernelRange;
    for (const Statement& one : state_.experiment->program->statements) {
      if (range.valid() && one.range.line >= range.line) { range.endLine = std::max(range.endLine, one.range.endLine); }
    }
    return range;
  }

  /// Scrolls no further than needed.
  void bringIntoView(const SourceRange& target) {
    float top = -1, bottom = 0;
    for (std::size_t row = 0; row < listing_.rows.size(); ++row) {
      if (!covers(target, listing_.rows[row].line + 1)) { continue; }
      if (top < 0) { top = listing_.top(row); }
      bottom = listing_.top(row) + listing_.rowHeight;
    }
    if (top < 0) { return; }
    const float margin = listing_.rowHeight * 2;
    const float view = ImGui::GetWindowHeight();
    const float scroll = ImGui::GetScrollY();
    const auto wholeRows = [&](float y) {
      return std::ceil(std::max(0.0F, y) / listing_.rowHeight) * listing_.rowHeight;
    };
    if (bottom + margin > scroll + view) {
      ImGui::SetScrollY(wholeRows(std::min(top - margin, bottom + margin - view)));
    }
    if (top - margin < scroll) { ImGui::SetScrollY(wholeRows(top - margin - listing_.rowHeight)); }
  }

  [[nodiscard]] RowText textOf(const CodeRow& row) const {
    return {(*listing_.lines)[static_cast<std::size_t>(row.line)], row, origin_.x + listing_.gutter,
            listing_.charWidth};
  }
  [[nodiscard]] float textTop(float rowTop) const {
    return rowTop + std::floor((listing_.rowHeight - ImGui::GetTextLineHeight()) / 2);
  }

  AppState& state_;
  const Theme& theme_;
  Shown shown_;
  HeatMeasure measure_;
  std::vector<Occurrence> found_;  ///< of the search
  NameColours names_;
  std::vector<LineHeat> heat_;
  std::set<int> barriers_;  ///< lines with one
  CurrentCode current_;
  int hostLine_ = 0;     ///< of the selected call of the program; 0: none, or in another text
  SourceRange problem_;  ///< where the last request failed, if that has a place in this text
  std::string message_;  ///< ... and why
  Listing listing_;
  ImDrawList* list_ = nullptr;
  ImVec2 origin_;
  float width_ = 0;
};

}  // namespace

float sourceRowHeight() { return std::round(ImGui::GetTextLineHeight() * 1.28F); }

const std::vector<CodeLine>& shownLines(AppState& state) { return state.code.lines(shownText(state).text); }

void drawSourceView(AppState& state, const Theme& theme, HeatMeasure measure, std::vector<Occurrence> found) {
  SourceView(state, theme, shownText(state), measure, std::move(found)).draw();
}

}  // namespace haloscope::ui
