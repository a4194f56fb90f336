#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actions/ClimbRows.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/source/DifferenceView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

/// The climb: every rung on the way of the chosen variant, and the sources of two of them side by side.
namespace haloscope::ui {

namespace {

constexpr float kRailStep = 14;                           // between the columns of the rail, at scale 1
constexpr float kRightShare = 0.40F, kWideShare = 0.46F;  // of the width: bars and numbers; with why warps wait

std::string ideaOf(const ClimbRow& row) {
  if (!row.own) { return tr(row.idea); }
  return row.shape.empty() ? std::string(tr("your kernel")) : trf("your kernel: it {}", fmt::join(row.shape, ", "));
}

std::string barText(const ClimbRow& row) {
  if (row.bar) { return fmt::format("{:.2f}", row.bar->fraction); }
  return row.own ? tr("not measured") : tr("not recorded");
}

/// "0.31 of the rung below"
std::string ratioText(const ClimbNumber& number) {
  if (const auto ratio = number.ratio()) {
    return *ratio < 1 ? fmt::format("÷ {:.3g}", 1 / *ratio) : fmt::format("× {:.3g}", *ratio);
  }
  return {};
}

std::string tileWords(const std::string& source) {
  return source == "tuned"     ? tr("tuned: the fastest that was found there")
         : source == "default" ? tr("its default")
                               : source;
}

class ClimbTable {
 public:
  ClimbTable(AppState& state, const Theme& theme, const ClimbRows& rows)
      : state_(state), theme_(theme), made_(rows), pad_(theme.px(6)) {
    for (const ClimbRow& row : rows.rows) {
      columns_ = std::max(columns_, row.column + 1);
      if (row.bar) { most_ = std::max(most_, row.bar->fraction); }
      if (row.numbers[static_cast<std::size_t>(ClimbCounter::Stalls)].value) { counters_ = kClimbCounters; }
    }
  }

  void draw(float height) {
    place(ImGui::GetCursorScreenPos().x, ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize);
    drawHead();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    const float room = height - theme_.textPixels(TextSize::Small) - ImGui::GetStyle().ItemSpacing.y;
    if (ImGui::BeginChild("rungs", {0, std::max(room, theme_.px(40))}, ImGuiChildFlags_NavFlattened)) {
      place(ImGui::GetCursorScreenPos().x, width_);
      drawRows();
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    if (clicked_) { chooseRung(state_, *clicked_); }
    if (stepped_) { stepRung(state_); }
  }

  [[nodiscard]] float height() {
    place(0, ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize);
    float sum = theme_.textPixels(TextSize::Small) + ImGui::GetStyle().ItemSpacing.y;
    for (const ClimbRow& row : made_.rows) { sum += heightOf(row); }
    return sum + theme_.px(2);
  }

 private:
  void place(float left, float width) {
    left_ = left;
    width_ = width;
    text_ = left + pad_ + theme_.px(kRailStep) * static_cast<float>(columns_) + theme_.px(4);
    right_ = left + width * (1 - (counters_ == kClimbCounters ? kWideShare : kRightShare));
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    bar_ = left + width - pad_ - textWidth("0.00") - theme_.px(8) - right_;
    cell_ = (left + width - pad_ - right_) / static_cast<float>(counters_);
    brief_ = cell_ < textWidth(tr("shared B"));
  }
  [[nodiscard]] float titleHeight() const { return theme_.textPixels(TextSize::Body) + theme_.px(1); }
  [[nodiscard]] float lineHeight() const { return theme_.textPixels(TextSize::Small); }
  [[nodiscard]] float ideaWidth() const { return right_ - text_ - theme_.px(12); }
  [[nodiscard]] float heightOf(const ClimbRow& row) const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    float idea = lineHeight();
    if (row.chosen) {
      const std::string text = ideaOf(row);
      idea = std::max(idea, ImGui::CalcTextSize(text.c_str(), nullptr, false, ideaWidth()).y);
    }
    return titleHeight() + idea + theme_.px(6);
  }

  void drawHead() const {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 dim = theme_.colours().textDim;
    clippedTextAt(list, {text_, at.y}, ideaWidth(), dim,
                  tr("rung and its one idea · numbers are per output point, grey ones by formula"));
    for (std::size_t i = 0; i < counters_ && !brief_; ++i) {
      const char* text = name(static_cast<ClimbCounter>(i));
      clippedTextAt(list, {cellLeft(i) + cell_ - std::min(textWidth(text), cell_), at.y}, cell_, dim, text);
    }
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()});
    if (!lastItemAsked()) { return; }
    const Tooltip tip(theme_);
    tip.title(tr("What a rung costs"), 0, Face::SansStrong);
    for (std::size_t i = 0; i < kClimbCounters; ++i) {
      const auto counter = static_cast<ClimbCounter>(i);
      tip.row(name(counter), meaning(counter));
    }
    tip.note(tr(
        "Executed on the whole grid, all rungs at the same size, each with the tile of its bar. A point is an output; "
        "of "
        "several time steps per launch, each counts."));
  }

  [[nodiscard]] float cellLeft(std::size_t counter) const { return right_ + cell_ * static_cast<float>(counter); }

  void drawRows() {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    std::vector<float> tops;
    float y = origin.y;
    for (const ClimbRow& row : made_.rows) {
      tops.push_back(y);
      y += heightOf(row);
    }
    tops.push_back(y);
    for (std::size_t i = 0; i < made_.rows.size(); ++i) { drawRow(i, tops[i], tops[i + 1] - tops[i]); }
    for (std::size_t i = 0; i < made_.rows.size(); ++i) { drawRail(i, tops); }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({width_, y - origin.y});
    follow(tops, origin.y);
  }

  /// Keeps the chosen row in view when another one is chosen.
  void follow(const std::vector<float>& tops, float origin) const {
    if (!made_.chosen || !storedChanged("chosen", *made_.chosen + 1)) { return; }
    // With the row before it: mostly the rung below.
    const float top = tops[*made_.chosen - std::min<std::size_t>(*made_.chosen, 1)] - origin;
    const float bottom = tops[*made_.chosen + 1] - origin;
    const float scroll = ImGui::GetScrollY(), view = ImGui::GetWindowHeight();
    if (top < scroll) { ImGui::SetScrollY(top); }
    if (bottom > scroll + view) { ImGui::SetScrollY(bottom - view); }
  }

  void drawRow(std::size_t index, float y, float height) {
    const ClimbRow& row = made_.rows[index];
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos({left_, y});
    ImGui::PushID(row.id.c_str());
    if (ImGui::InvisibleButton("rung", {width_, height}, ImGuiButtonFlags_EnableNav)) { clicked_ = row.id; }
    ImGui::PopID();
    const bool asked = lastItemAsked();
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) { stepped_ = true; }
    const ImVec2 min{left_, y + theme_.px(1)}, max{left_ + width_, y + height - theme_.px(1)};
    if (row.chosen || asked) {
      list->AddRectFilled(min, max, theme_.faded(colours.accent, row.chosen ? 0.14F : 0.07F), theme_.px(4));
    }
    if (row.chosen) { list->AddRectFilled(min, {min.x + theme_.px(3), max.y}, colours.accent, theme_.px(2)); }
    drawWords(row, y + theme_.px(2));
    drawBar(row, y + theme_.px(2));
    drawNumbers(row, y + theme_.px(2) + titleHeight());
    if (asked) { drawTooltip(row); }
  }

  void drawWords(const ClimbRow& row, float y) const {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float used = 0;
    {
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      const std::string title = row.own ? row.name : tr(row.title);
      clippedTextAt(list, {text_, y}, ideaWidth(), row.own ? colours.good : colours.text, title);
      used = textWidth(title) + theme_.px(10);
    }
    if (!row.own && used + theme_.px(60) < ideaWidth()) {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      clippedTextAt(list, {text_ + used, y + theme_.px(1.5F)}, ideaWidth() - used, colours.textDim, row.name);
      used += textWidth(row.name) + theme_.px(10);
    }
    if (row.bar && !row.own && used + theme_.px(60) < ideaWidth()) {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      clippedTextAt(list, {text_ + used, y + theme_.px(1.5F)}, ideaWidth() - used, colours.textDim, row.bar->tunables);
    }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const std::string idea = ideaOf(row);
    const float top = y + titleHeight();
    if (row.chosen) {
      list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {text_, top}, colours.text, idea.c_str(), nullptr,
                    ideaWidth());
    } else {
      clippedTextAt(list, {text_, top}, ideaWidth(), colours.textDim, idea);
    }
  }

  void drawBar(const ClimbRow& row, float y) const {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const FontScope font(theme_, Face::SansStrong, TextSize::Small);
    const std::string text = barText(row);
    if (!row.bar) {
      const FontScope plain(theme_, Face::Sans, TextSize::Small);
      textAt(list, {right_, y + theme_.px(1)}, colours.textDim, text);
      return;
    }
    const float length = std::max(theme_.px(2), bar_ * static_cast<float>(row.bar->fraction / most_));
    const ImVec2 min{right_, y + theme_.px(2)}, max{right_ + length, y + titleHeight() - theme_.px(3)};
    const float copy = right_ + bar_ * static_cast<float>(1 / most_);
    list->AddRectFilled(min, {copy, max.y}, theme_.faded(colours.textDim, 0.12F), theme_.px(2));
    list->AddRectFilled(min, max, row.bar->recorded ? theme_.faded(colours.series, 0.75F) : colours.series,
                        theme_.px(2));
    if (row.bar->recorded) { stripe(list, theme_, min, max); }
    list->AddLine({copy, min.y - theme_.px(2)}, {copy, max.y + theme_.px(2)}, colours.textDim,
                  std::max(1.0F, theme_.px(1.5F)));
    textAt(list, {left_ + width_ - pad_ - textWidth(text), y + theme_.px(1)}, colours.text, text);
  }

  void drawNumbers(const ClimbRow& row, float y) const {
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!row.problem.empty() || (row.counting && !row.numbers.front().value)) {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      clippedTextAt(list, {right_, y}, cell_ * static_cast<float>(counters_),
                    row.problem.empty() ? colours.textDim : colours.halo,
                    row.problem.empty() ? tr("executing …") : row.problem);
      return;
    }
    if (brief_) { return drawMoved(row, y); }
    for (std::size_t i = 0; i < counters_; ++i) {
      const ClimbNumber& number = row.numbers[i];
      const bool moved = row.moved == static_cast<ClimbCounter>(i);
      const FontScope font(theme_, moved ? Face::SansStrong : Face::Sans, TextSize::Small);
      std::string text = number.text;
      if (moved) { text = (*number.ratio() < 1 ? "↓ " : "↑ ") + text; }
      const float wide = textWidth(text);
      const float x = cellLeft(i) + cell_ - wide;
      if (moved) {
        list->AddRectFilled({x - theme_.px(5), y - theme_.px(1)}, {x + wide + theme_.px(4), y + lineHeight()},
                            theme_.faded(colours.accent, 0.30F), theme_.px(4));
      }
      const ImU32 plain = number.counted ? colours.text : colours.textDim;
      textAt(list, {x, y}, moved ? colours.text : theme_.faded(plain, 0.85F), text);
    }
  }

  /// Where there is no room for all numbers: the one that moved most.
  void drawMoved(const ClimbRow& row, float y) const {
    if (!row.moved) { return; }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const ClimbNumber& number = row.numbers[static_cast<std::size_t>(*row.moved)];
    clippedTextAt(ImGui::GetWindowDrawList(), {right_, y}, cell_ * static_cast<float>(counters_), theme_.colours().text,
                  fmt::format("{} {} {}", name(*row.moved), *number.ratio() < 1 ? "↓" : "↑", number.text));
  }

  [[nodiscard]] ImVec2 nodeOf(std::size_t row, const std::vector<float>& tops) const {
    const float x = left_ + pad_ + theme_.px(kRailStep) * (static_cast<float>(made_.rows[row].column) + 0.5F);
    return {x, tops[row] + theme_.px(2) + titleHeight() / 2};
  }

  /// The rung's node, and the way to it from the rung below.
  void drawRail(std::size_t index, const std::vector<float>& tops) const {
    const ClimbRow& row = made_.rows[index];
    const Palette& colours = theme_.colours();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = nodeOf(index, tops);
    const float radius = theme_.px(4), line = std::max(1.0F, theme_.px(1.5F));
    const ImU32 rail = theme_.faded(colours.textDim, 0.8F);
    if (row.below && !row.own) {
      const ImVec2 from = nodeOf(*row.below, tops);
      const float turn = std::min(theme_.px(10), at.y - from.y);
      if (from.x < at.x) {
        list->AddBezierCubic({from.x, from.y + radius}, {from.x, from.y + turn}, {at.x, from.y + turn},
                             {at.x, from.y + 2 * turn}, rail, line);
        list->AddLine({at.x, from.y + 2 * turn}, {at.x, at.y - radius}, rail, line);
      } else {
        list->AddLine({from.x, from.y + radius}, {at.x, at.y - radius}, rail, line);
      }
    }
    const ImU32 fill = row.own ? colours.good : row.chosen ? colours.accent : colours.panel;
    if (row.own) {
      list->AddQuadFilled({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
                          fill);
    } else {
      list->AddCircleFilled(at, radius, fill);
      list->AddCircle(at, radius, row.chosen ? colours.accent : rail, 0, line);
    }
  }

  void drawTooltip(const ClimbRow& row) const {
    const Tooltip tip(theme_);
    tip.title(row.name);
    if (!row.own) { tip.note(row.idea, theme_.colours().text); }
    if (row.bar) {
      tip.row(tr("of the best copy"), fmt::format("{:.3f}", row.bar->fraction));
      tip.row(row.bar->recorded ? tr("recorded on") : tr("measured on"), row.bar->gpu);
      tip.row(tr("with"), row.bar->of);
      if (!row.bar->tile.empty()) { tip.row(tr("its tile"), tileWords(row.bar->tile)); }
    } else {
      tip.row(tr("of the best copy"), barText(row));
    }
    for (std::size_t i = 0; i < kClimbCounters; ++i) {
      const auto counter = static_cast<ClimbCounter>(i);
      const ClimbNumber& number = row.numbers[i];
      if (!number.value) { continue; }
      const std::string ratio = ratioText(number);
      tip.row(name(counter),
              fmt::format("{}{} · {}", number.text, ratio.empty() ? "" : " (" + ratio + ")", number.source),
              row.moved == counter ? theme_.colours().accent : 0);
    }
    if (!row.executedAt.empty()) { tip.row(tr("executed at"), row.executedAt); }
    if (!row.problem.empty()) { tip.note(row.problem); }
    const auto unmeasured = state_.hardware.problems.find(row.id);
    if (unmeasured != state_.hardware.problems.end()) { tip.note(trf("Not measured here: {}", unmeasured->second)); }
    tip.note(row.chosen ? tr("Enter or double click: step through it") : tr("click: choose it"));
  }

  AppState& state_;
  const Theme& theme_;
  const ClimbRows& made_;
  float pad_;
  int columns_ = 1;
  std::size_t counters_ = kClimbCounters - 1;  ///< columns; why warps wait has one once it was counted
  double most_ = 1;                            ///< the longest bar; at least 1
  bool brief_ = false;                         ///< the columns are too narrow for their numbers
  float left_ = 0, width_ = 0, text_ = 0, right_ = 0, bar_ = 0, cell_ = 0;
  std::optional<std::string> clicked_;
  bool stepped_ = false;
};

/// The rungs one below the other, as high as `height`: the climb's rail, title and idea, the bar, and what moved.
/// A click chooses a rung, a double click steps through it.
void drawClimbTable(AppState& state, const Theme& theme, const ClimbRows& rows, float height) {
  ClimbTable(state, theme, rows).draw(height);
}

/// Of all rows, with the idea of the chosen one in full.
float climbTableHeight(AppState& state, const Theme& theme, const ClimbRows& rows) {
  return ClimbTable(state, theme, rows).height();
}

/// What its colours mean.
void drawClimbLegend(const Theme& theme, const ClimbRows& rows) {
  const Palette& colours = theme.colours();
  const std::string measured = trf("of the best copy, measured here on the {}", rows.measuredOn);
  const std::string recorded = trf("of the best copy, as recorded on the {}", rows.recordedOn);
  std::vector<LegendEntry> entries;
  if (!rows.measuredOn.empty()) { entries.push_back({colours.series, measured.c_str()}); }
  if (!rows.recordedOn.empty()) {
    entries.push_back({theme.faded(colours.series, 0.75F), recorded.c_str(), Swatch::Striped});
  }
  if (!entries.empty()) { entries.push_back({colours.textDim, tr("the copy"), Swatch::Line}); }
  entries.push_back({theme.faded(colours.accent, 0.45F), tr("moved most from the rung below")});
  if (std::ranges::any_of(rows.rows, &ClimbRow::own)) { entries.push_back({colours.good, tr("your kernel")}); }
  legend(theme, entries);
}

/// The line of the statement that the cursor is at, if the right source is the one that is executed.
int currentLine(const AppState& state, const SourceDifference& difference) {
  const recording::Step* step = state.cursor.empty() ? nullptr : state.cursor.current();
  if (step == nullptr || step->statement == kNone || state.experiment == nullptr) { return 0; }
  if (state.experiment->file.id != difference.above.id) { return 0; }
  return state.cursor.recording().program->statements[step->statement].range.line;
}

std::string climbCaption(const AppState& state) {
  if (!state.hardware.measuring.empty()) { return trf("measuring {} …", state.hardware.measuring); }
  return trf("Shift + ↑ ↓ another rung · Enter steps through it{}",
             state.gpuName.empty() ? "" : trf(" · {} measures all here", keyText(readHardwareCounters)));
}

/// What an own kernel resembles, and why rungs were not measured.
void drawSentences(const AppState& state, const Theme& theme, const ClimbRows& rows) {
  ImGui::PushTextWrapPos(0);
  if (!rows.ownText.empty()) { label(theme, theme.colours().good, rows.ownText); }
  if (!state.hardware.missing.empty()) {
    label(theme, theme.colours().textDim, trf("Not measured here: {}", state.hardware.missing));
  }
  ImGui::PopTextWrapPos();
}

void drawOffers(AppState& state, const Theme& theme, const ClimbRows& rows) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  ImGui::Dummy({0, theme.px(4)});
  for (const ClimbRows::Offer& offer : rows.offers) {
    if (ImGui::Button((std::string(tr(offer.name)) + "###" + offer.lowest).c_str())) {
      chooseRung(state, offer.lowest);
    }
    ImGui::SameLine(0, theme.px(12));
    ImGui::AlignTextToFramePadding();
    label(theme, theme.colours().textDim, offer.lowest, Face::Mono);
  }
}

void drawClimb(AppState& state, const Theme& theme, const PanelTools&) {
  const std::shared_ptr<const ClimbRows> made = state.climb.rows;
  if (made == nullptr) { return; }
  const ClimbRows& rows = *made;
  if (rows.rows.empty()) {
    panelHeading(theme, tr("The climb"));
    ImGui::PushTextWrapPos(0);
    label(theme, theme.colours().textDim, rows.missing, Face::Sans, TextSize::Body);
    if (!rows.offers.empty()) {
      label(theme, theme.colours().text, tr("Choose a climb; it begins with its simplest kernel:"), Face::Sans,
            TextSize::Body);
    }
    ImGui::PopTextWrapPos();
    drawOffers(state, theme, rows);
    return;
  }
  panelHeading(theme, trf("The climb: {}", std::string(rows.kind.empty() ? tr(rows.name) : rows.kind)),
               climbCaption(state));
  drawSentences(state, theme, rows);
  const float room = ImGui::GetContentRegionAvail().y;
  const float table = std::min(climbTableHeight(state, theme, rows), room * 0.54F);
  drawClimbTable(state, theme, rows, table);
  drawClimbLegend(theme, rows);
  ImGui::Dummy({0, theme.px(2)});
  if (state.climb.difference != nullptr) {
    drawDifference(state, theme, *state.climb.difference, currentLine(state, *state.climb.difference));
  }
}

bool climbInFront(const AppState& state) { return state.view.tabs.inFront(Tab::Climb) && !state.comparison.on; }

constexpr std::array kClimbKeys = {
    Shortcut{.act = toggleTab<Tab::Climb>,
             .group = KeyGroup::Compare,
             .text = trMark("the climb from the basic variant to the limit"),
             .keys = ImGuiKey_K},
    Shortcut{.act = chooseNextRung,
             .group = KeyGroup::Compare,
             .text = trMark("there: next rung"),
             .keys = ImGuiMod_Shift | ImGuiKey_DownArrow,
             .repeats = true,
             .when = climbInFront},
    Shortcut{.act = choosePreviousRung,
             .group = KeyGroup::Compare,
             .text = trMark("there: previous rung"),
             .keys = ImGuiMod_Shift | ImGuiKey_UpArrow,
             .repeats = true,
             .when = climbInFront},
    Shortcut{.act = stepRung,
             .group = KeyGroup::Compare,
             .text = trMark("there: step through the rung"),
             .keys = ImGuiKey_Enter,
             .when = climbInFront},
};

}  // namespace

extern const Panel kClimbPanel = {
    .tab = Tab::Climb, .title = trMark("The climb"), .draw = drawClimb, .shortcuts = kClimbKeys};

}  // namespace haloscope::ui
