#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "state/ProgramFaults.h"
#include "ui/panels/ProgramFaultRow.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The findings: one row each, details of the selected one, and a link to its place.
namespace haloscope::ui {
namespace {

using faults::AlsoAt;
using faults::Finding;
using faults::ThreadPlace;

constexpr std::size_t kListedCells = 6;  ///< affected output cells listed per finding

std::string lineAndColumn(const SourceRange& where) {
  return where.valid() ? fmt::format("{}:{}", where.line, where.column) : std::string();
}

/// "thread (0,0,0) and thread (1,0,0) of block (3,0,0)".
std::string threadsText(const std::vector<ThreadPlace>& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const bool last = i + 1 == threads.size();
    text += (i == 0 ? "" : last ? tr(" and ") : ", ") + trf("thread {}", haloscope::text(threads[i].thread));
    if (last || !(threads[i + 1].block == threads[i].block)) {
      text += trf(" of block {}", haloscope::text(threads[i].block));
    }
  }
  return text;
}

/// Of a wrong result they are the first point's alone.
std::string threadsText(const Finding& finding) {
  const std::string threads = threadsText(finding.threads);
  return finding.kind != faults::FindingKind::WrongResult || threads.empty()
             ? threads
             : trf("the first is stored by {}", threads);
}

/// "barrier interval 2 · 18 times".
std::string timesText(const Finding& finding) {
  std::string text = trf("barrier interval {}", finding.interval);
  if (finding.occurrences > 1) { text += trf(" · {} times in total", grouped(finding.occurrences)); }
  return text;
}

/// "affects 4,096 output cells, [z][y][x]: c[0][1][0], c[0][1][1], …"; empty if it affects none.
std::string outputsText(const AppState& state, const Finding& finding) {
  if (finding.outputCount == 0) { return {}; }
  std::string text =
      trn("affects {} output cell", "affects {} output cells", finding.outputCount, grouped(finding.outputCount));
  if (state.report->program == nullptr) { return text; }
  std::vector<std::string> names = state.report->outputNames(finding);
  // The text may index the array as one row; its shape is known all the same.
  const recording::Footprint& footprint = state.experiment->footprint;
  const std::vector<std::int64_t>& extents = footprint.outputExtents;
  if (extents.size() > 1 && footprint.output < state.report->program->objects.size()) {
    for (std::size_t i = 0; i < std::min(names.size(), finding.outputs.size()); ++i) {
      if (finding.outputs[i].object != footprint.output) { continue; }
      names[i] = recording::formatElement(state.report->program->objects[footprint.output].name, extents,
                                          finding.outputs[i].index);
    }
    text += extents.size() > 2 ? ", [z][y][x]" : ", [y][x]";
  }
  const std::size_t listed = std::min(names.size(), kListedCells);
  for (std::size_t i = 0; i < listed; ++i) { text += (i == 0 ? ": " : ", ") + names[i]; }
  return listed < finding.outputCount ? text + ", …" : text;
}

void wrapped(const Theme& theme, ImU32 colour, const std::string& text) {
  if (text.empty()) { return; }
  ImGui::PushTextWrapPos(0);
  label(theme, colour, text);
  ImGui::PopTextWrapPos();
}

/// The findings one below the other, in columns: kind, place, sentence.
class FindingsList {
 public:
  FindingsList(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), report_(*state.report), pad_(theme.px(6)), gap_(theme.px(8)) {}

  void draw() {
    takeKeys();
    {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      line_ = ImGui::GetTextLineHeight() + theme_.px(4);
    }
    for (const Finding& finding : findings(state_)) {
      kindWidth_ = std::max(kindWidth_, chipWidth(tr(faults::rowOf(finding.kind).title)));
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      placeWidth_ = std::max(placeWidth_, textWidth(lineAndColumn(finding.where)));
    }
    const bool changed = storedChanged("chosen", state_.selection.finding ? *state_.selection.finding + 1 : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap_, theme_.px(2)});
    for (std::size_t i = 0; i < findings(state_).size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      const float top = ImGui::GetCursorPosY();
      drawFinding(i);
      if (changed && state_.selection.finding == i) { bringIntoView(top, ImGui::GetCursorPosY()); }
      ImGui::PopID();
    }
    ImGui::PopStyleVar();
  }

 private:
  /// While the panel has the focus: ↑ and ↓ select, Enter goes to the selected finding.
  void takeKeys() {
    const auto count = findings(state_).size();
    const std::optional<std::size_t> chosen = state_.selection.finding;
    const auto pressed = [](ImGuiKey key) {
      return ImGui::Shortcut(key, ImGuiInputFlags_RouteFocused | ImGuiInputFlags_Repeat);
    };
    const bool down = pressed(ImGuiKey_DownArrow);
    const bool up = pressed(ImGuiKey_UpArrow);
    if (pressed(ImGuiKey_Enter) || (!chosen && (down || up))) {
      chooseFinding(state_, chosen.value_or(0));
    } else if (down && *chosen + 1 < count) {
      chooseFinding(state_, *chosen + 1);
    } else if (up && *chosen > 0) {
      chooseFinding(state_, *chosen - 1);
    }
  }

  void drawFinding(std::size_t index) {
    const Finding& finding = findings(state_)[index];
    const bool chosen = state_.selection.finding == index;
    // A hall sees nothing on hover: the only finding is shown as a whole.
    const bool open = chosen || (state_.presenting.on && findings(state_).size() == 1);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    const bool asked = drawRow(index, finding, open);
    if (open) { drawWhole(finding); }
    list->ChannelsSetCurrent(0);
    const ImVec2 end{at.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - theme_.px(1)};
    const ImU32 fault = theme_.colours().fault;
    if (chosen || asked) { list->AddRectFilled(at, end, theme_.faded(fault, chosen ? 0.14F : 0.08F), theme_.px(4)); }
    if (chosen) { list->AddRectFilled(at, {at.x + theme_.px(3), end.y}, fault, theme_.px(2)); }
    list->ChannelsMerge();
  }

  /// Returns whether it is hovered.
  bool drawRow(std::size_t index, const Finding& finding, bool open) {
    const Palette& colours = theme_.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    if (ImGui::InvisibleButton("finding", {right - at.x, line_}, ImGuiButtonFlags_EnableNav)) {
      chooseFinding(state_, index);
    }
    const bool asked = lastItemAsked();
    drawChip({at.x + pad_, at.y + theme_.px(1)}, tr(faults::rowOf(finding.kind).title));
    float x = at.x + pad_ + kindWidth_ + gap_;
    ImDrawList* list = ImGui::GetWindowDrawList();
    {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      textAt(list, {x, at.y + theme_.px(2)}, colours.textDim, lineAndColumn(finding.where));
      x += placeWidth_ + (placeWidth_ > 0 ? gap_ : 0);
    }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    if (open) {
      clippedTextAt(list, {x, at.y + theme_.px(2)}, right - x - pad_, colours.textDim, timesText(finding));
    } else {
      clippedTextAt(list, {x, at.y + theme_.px(2)}, right - x - pad_, colours.text, finding.text());
      if (asked) { drawTooltip(finding); }
    }
    return asked;
  }

  /// Details of the selected finding, below its row.
  void drawWhole(const Finding& finding) {
    const Palette& colours = theme_.colours();
    ImGui::Indent(pad_);
    wrapped(theme_, colours.text, finding.text());
    const std::string threads = threadsText(finding);
    const std::string outputs = outputsText(state_, finding);
    wrapped(theme_, colours.textDim, threads + (threads.empty() || outputs.empty() ? "" : " · ") + outputs);
    for (std::size_t i = 0; i < finding.also.size(); ++i) { drawAlso(finding, finding.also[i], static_cast<int>(i)); }
    ImGui::Unindent(pad_);
    ImGui::Dummy({0, theme_.px(1)});
  }

  /// Another place with the same fault; a click goes there.
  void drawAlso(const Finding& finding, const AlsoAt& also, int number) {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const Palette& colours = theme_.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const SourceRange where = placeOf(finding, also);
    ImGui::PushID(number);
    if (ImGui::InvisibleButton("also", {width, ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav)) {
      goToPlace(state_, finding, where);
    }
    ImGui::PopID();
    const bool asked = lastItemAsked();
    const std::string place = trf("also {}", lineAndColumn(where));
    ImDrawList* list = ImGui::GetWindowDrawList();
    textAt(list, at, asked ? colours.text : colours.accent, place);
    const float x = at.x + textWidth(place) + gap_;
    clippedTextAt(list, {x, at.y}, at.x + width - x - pad_, asked ? colours.text : colours.textDim, also.message);
    if (!asked) { return; }
    const Tooltip tip(theme_);
    tip.note(also.message, colours.text);
    tip.note(tr("click: go there"));
  }

  void drawTooltip(const Finding& finding) {
    const Tooltip tip(theme_);
    tip.title(faults::rowOf(finding.kind).title, theme_.colours().fault, Face::SansStrong);
    tip.note(finding.text(), theme_.colours().text);
    if (!finding.threads.empty()) {
      const bool first = finding.kind == faults::FindingKind::WrongResult;
      tip.note(first ? threadsText(finding) : trf("by {}", threadsText(finding)));
    }
    tip.note(timesText(finding));
    if (const std::string outputs = outputsText(state_, finding); !outputs.empty()) { tip.note(outputs); }
    if (!finding.also.empty()) {
      tip.note(trn("and at {} other place", "and at {} other places", finding.also.size(), finding.also.size()));
    }
    tip.note(tr("click: go to the first occurrence"));
  }

  [[nodiscard]] float chipWidth(const char* text) const {
    const FontScope font(theme_, Face::SansStrong, TextSize::Small);
    return textWidth(text) + theme_.px(10);
  }

  /// A label on the fault colour, as wide as the column.
  void drawChip(ImVec2 at, const char* text) const {
    const FontScope font(theme_, Face::SansStrong, TextSize::Small);
    const ImU32 fault = theme_.colours().fault;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {at.x + kindWidth_, at.y + line_ - theme_.px(2)}, fault, theme_.px(4));
    textAt(list, {at.x + theme_.px(5), at.y + theme_.px(1)}, theme_.textOn(fault), text);
  }

  /// Scrolls to show `top` to `bottom`; if both do not fit, `top`.
  void bringIntoView(float top, float bottom) {
    const float scroll = ImGui::GetScrollY();
    if (top < scroll || bottom - top > ImGui::GetWindowHeight()) {
      ImGui::SetScrollY(top);
    } else if (bottom > scroll + ImGui::GetWindowHeight()) {
      ImGui::SetScrollY(bottom - ImGui::GetWindowHeight());
    }
  }

  AppState& state_;
  const Theme& theme_;
  const checking::CheckReport& report_;
  float pad_, gap_;
  float line_ = 0, kindWidth_ = 0, placeWidth_ = 0;
};

/// Notes about the check itself.
void drawNotes(const Theme& theme, const checking::CheckReport& report) {
  for (const std::string& note : report.notes) { wrapped(theme, theme.colours().textDim, note); }
}

void drawClean(const Theme& theme, const checking::CheckReport& report, bool others) {
  label(theme, others ? theme.colours().text : theme.colours().good,
        others ? tr("No further findings in the launch that is shown.") : tr("No findings."), Face::SansStrong);
  wrapped(theme, report.evidence.matches() == true ? theme.colours().good : theme.colours().textDim, report.compared);
  wrapped(theme, theme.colours().text, report.watched);
  drawNotes(theme, report);
}

/// Left out where the tab already shows it.
void drawHeading(const AppState& state, const Theme& theme, const std::vector<ProgramFault>& others) {
  if (panelHasTab()) { return; }
  const auto grave = static_cast<std::size_t>(std::ranges::count_if(others, &ProgramFault::grave));
  const std::size_t count = findings(state).size() + grave;
  panelHeading(theme, count + others.size() == 0 ? tr("Findings") : countedFindings(count, others.size() - grave),
               count > 1        ? trf("{}: the next one", keyText(chooseNextFinding))
               : state.checking ? tr("checking …")
                                : "");
}

/// What is wrong with the program beside this kernel: of its host code, of other launches. A click goes there.
void drawProgramFaults(AppState& state, const Theme& theme, const std::vector<ProgramFault>& faults) {
  if (faults.empty()) { return; }
  ImGui::Dummy({0, theme.px(2)});
  label(theme, theme.colours().textDim, tr("in the program"));
  for (std::size_t i = 0; i < faults.size(); ++i) { drawProgramFault(state, theme, faults[i], static_cast<int>(i)); }
}

/// Why nothing is said of the kernel on screen.
void drawUnchecked(const AppState& state, const Theme& theme) {
  if (state.report == nullptr || state.experiment == nullptr) {
    label(theme, theme.colours().textDim,
          state.checking ? tr("Checking: executing the whole grid with all analyses …") : tr("Not checked yet."));
  } else if (findingsHidden(state)) {
    wrapped(theme, theme.colours().textDim, tr("Hidden until you solve the task or reveal them in the bug lab."));
  } else {
    wrapped(theme, theme.colours().halo, state.report->notChecked);
  }
}

void drawFindings(AppState& state, const Theme& theme, const PanelTools&) {
  const std::size_t count = findings(state).size();
  const std::vector<ProgramFault> others = programFaults(state);
  drawHeading(state, theme, others);
  if (state.report == nullptr || state.experiment == nullptr || !state.report->notChecked.empty() ||
      findingsHidden(state)) {
    drawUnchecked(state, theme);
    drawProgramFaults(state, theme, others);
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild("findings", {0, 0}, ImGuiChildFlags_NavFlattened)) {
    if (count == 0) {
      drawProgramFaults(state, theme, others);
      drawClean(theme, *state.report, !others.empty());
    } else {
      FindingsList(state, theme).draw();
      drawNotes(theme, *state.report);
      drawProgramFaults(state, theme, others);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

constexpr std::array kFindingsKeys = {Shortcut{.act = toggleTab<Tab::Findings, Tab::Source>,
                                               .group = KeyGroup::Text,
                                               .text = trMark("all findings"),
                                               .keys = ImGuiMod_Ctrl | ImGuiKey_F8,
                                               .whileTyping = true}};

}  // namespace

extern const Panel kFindingsPanel = {
    .tab = Tab::Findings, .title = trMark("Findings"), .draw = drawFindings, .shortcuts = kFindingsKeys};

}  // namespace haloscope::ui
