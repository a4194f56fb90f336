#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "experiment/TraceWords.h"
#include "ui/Panels.h"
#include "ui/Widgets.h"

namespace haloscope::ui {

namespace {

using analysis::Hop;
using analysis::Operand;
using experiment::TraceWords;

ImU32 colourOf(const Theme& theme, const std::string& role) {
  if (role == "interior") { return theme.colours().interior; }
  if (role == "halo") { return theme.colours().halo; }
  if (role == "ghost") { return theme.colours().ghost; }
  if (role == "uninitialised" || role == "stale") { return theme.colours().fault; }
  return theme.colours().textDim;
}

/// A place on the way, as a word to click on: the cursor goes there.
void stepLink(AppState& state, const Theme& theme, std::string_view what, std::uint32_t step, std::uint32_t thread) {
  const std::string text = fmt::format("{} · {}", what, step + 1);
  const float width = textWidth(text);
  if (width > ImGui::GetContentRegionAvail().x) { ImGui::NewLine(); }
  const bool clicked = ImGui::InvisibleButton("link", {width, ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav);
  const ImVec2 at = ImGui::GetItemRectMin();
  const bool asked = lastItemAsked();
  textAt(ImGui::GetWindowDrawList(), at, asked ? theme.colours().text : theme.colours().accent, text);
  if (asked) {
    const Tooltip tip(theme);
    tip.note(fmt::format("go to step {}", step + 1), theme.colours().text);
  }
  if (clicked) {
    state.playback.playing = false;
    state.cursor.goTo(std::size_t{step} + 1);
    state.selection.thread = thread;
  }
}

void drawOperand(AppState& state, const Theme& theme, const TraceWords& words, const Operand& operand,
                 const analysis::OperandPlace& place) {
  const Program& program = *state.cursor.recording().program;
  const std::string role = analysis::name(place.role);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    const std::string value = recording::formatValue(program, operand.type, operand.bits);
    swatch(list, theme, {at.x, at.y + theme.px(2)}, theme.px(9), colourOf(theme, role), Swatch::Filled);
    textAt(list, {at.x + theme.px(16), at.y}, theme.colours().text,
           fmt::format("{} = {}", words.operand(operand, place), value));
    const float right = at.x + ImGui::GetContentRegionAvail().x - textWidth(role);
    textAt(list, {right, at.y}, theme.colours().textDim, role);
    ImGui::Dummy({0, ImGui::GetTextLineHeight()});
  }
  if (operand.kind == Operand::Kind::Literal) { return; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::Indent(theme.px(16));
  ImGui::PushID("loaded");
  stepLink(state, theme, "read by " + words.thread(operand.loadedBy), operand.loadedAt, operand.loadedBy);
  ImGui::PopID();
  for (std::size_t i = 0; i < operand.hops.size(); ++i) {
    const Hop& hop = operand.hops[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::SameLine(0, theme.px(10));
    stepLink(state, theme, "→ " + words.place(hop), hop.step, hop.thread);
    ImGui::PopID();
  }
  if (operand.usedAt != operand.loadedAt) {
    ImGui::SameLine(0, theme.px(10));
    ImGui::PushID("used");
    stepLink(state, theme, "→ used", operand.usedAt, operand.usedBy);
    ImGui::PopID();
  }
  ImGui::Unindent(theme.px(16));
}

void drawTrace(AppState& state, const Theme& theme, const experiment::TracedOutput& traced) {
  const analysis::OutputTrace& trace = traced.trace;
  const recording::Recording& recording = state.cursor.recording();
  const TraceWords words(recording, state.experiment->footprint);
  {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    ImGui::TextUnformatted(
        fmt::format(
            "{} = {}", words.element(trace.object, trace.element),
            recording::formatValue(*recording.program, recording.program->objects[trace.object].element, trace.bits))
            .c_str());
  }
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    stepLink(state, theme, "written by " + words.thread(trace.thread), trace.step, trace.thread);
  }
  ImGui::Dummy({0, theme.px(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(4), theme.px(3)));
  if (ImGui::BeginChild("operands", {0, -ImGui::GetTextLineHeightWithSpacing()}, ImGuiChildFlags_NavFlattened)) {
    for (std::size_t i = 0; i < trace.operands.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      drawOperand(state, theme, words, trace.operands[i], traced.places[i]);
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  const LegendEntry entries[] = {{theme.colours().interior, "interior"},
                                 {theme.colours().halo, "halo"},
                                 {theme.colours().fault, "uninitialised"},
                                 {theme.colours().textDim, "other"}};
  legend(theme, entries);
}

}  // namespace

void drawOrigins(AppState& state, const Theme& theme) {
  panelHeading(theme, "Where from?", "the number is the step");
  const bool current = state.origins.experiment == state.experiment && state.experiment != nullptr;
  if (!state.origins.wanted) {
    label(theme, theme.colours().textDim, "This thread writes no output: click a cell of the output.");
  } else if (!current || state.origins.element != *state.origins.wanted) {
    label(theme, theme.colours().textDim, "following the value …");
  } else if (!state.origins.trace) {
    label(theme, theme.colours().textDim, "This value could not be followed.");
  } else {
    drawTrace(state, theme, *state.origins.trace);
  }
}

}  // namespace haloscope::ui
