#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/BugLabTasks.h"
#include "ui/Findings.h"
#include "ui/Keyboard.h"
#include "ui/Panels.h"
#include "ui/Widgets.h"

/// What speaks against the kernel: each fault in a sentence, with its place, and the way there.
namespace haloscope::ui {
namespace {

using analysis::Finding;

constexpr std::size_t kPlacesTold = 6;  ///< of a finding's other places, in its tooltip

std::string threadText(const analysis::ThreadPlace& place) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", place.thread.x, place.thread.y, place.thread.z,
                     place.block.x, place.block.y, place.block.z);
}

/// "line 24:5 · thread (3,0,0) of block (0,0,0) · 18 times · reaches 4 output cells".
std::string placeText(const AppState& state, const Finding& finding) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (finding.where.valid()) {
    const std::string file = state.experiment->file.path.filename().string();
    add(fmt::format("{}:{}:{}", file, finding.where.line, finding.where.column));
  }
  if (!finding.threads.empty()) { add(threadText(finding.threads.front())); }
  if (finding.occurrences > 1) { add(fmt::format("{} times", grouped(finding.occurrences))); }
  if (!finding.also.empty()) {
    add(fmt::format("and at {} other place{}", finding.also.size(), finding.also.size() == 1 ? "" : "s"));
  }
  if (finding.outputCount > 0) {
    add(fmt::format("reaches {} output cell{}", grouped(finding.outputCount), finding.outputCount == 1 ? "" : "s"));
  }
  return text;
}

/// A word on the fault's colour. Returns its width.
float chip(ImDrawList* list, const Theme& theme, ImVec2 at, const char* text) {
  const FontScope font(theme, Face::SansStrong, TextSize::Small);
  const Palette& colours = theme.colours();
  const ImVec2 size{textWidth(text) + theme.px(12), ImGui::GetTextLineHeight() + theme.px(2)};
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colours.fault, theme.px(4));
  textAt(list, {at.x + theme.px(6), at.y + theme.px(1)}, theme.textOn(colours.fault), text);
  return size.x;
}

void findingTooltip(const Theme& theme, const Finding& finding) {
  const Tooltip tip(theme);
  tip.title(word(finding.kind), theme.colours().fault, Face::SansStrong);
  tip.note(finding.message, theme.colours().text);
  for (const analysis::ThreadPlace& place : finding.threads) { tip.row("by", threadText(place)); }
  tip.row("barrier interval", std::to_string(finding.interval));
  if (finding.other.valid()) { tip.row("against line", std::to_string(finding.other.line)); }
  for (std::size_t i = 0; i < std::min(finding.also.size(), kPlacesTold); ++i) { tip.note(finding.also[i].message); }
  tip.note("click: go to the first time");
}

void drawFinding(AppState& state, const Theme& theme, std::size_t index) {
  const Finding& finding = findings(state)[index];
  const Palette& colours = theme.colours();
  const bool chosen = state.selection.finding == index;
  const float pad = theme.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float room = width - 2 * pad;
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float line = ImGui::GetTextLineHeight();
  const float sentence = ImGui::CalcTextSize(finding.message.c_str(), nullptr, false, room).y;
  const float height = 2 * pad + line + theme.px(4) + sentence;

  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("finding", {width, height}, ImGuiButtonFlags_EnableNav)) { chooseFinding(state, index); }
  ImGui::PopID();
  const bool asked = lastItemAsked();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  if (chosen || asked) {
    list->AddRectFilled(at, end, theme.faded(colours.fault, chosen ? 0.16F : 0.08F), theme.px(4));
  }
  if (chosen) { list->AddRectFilled(at, {at.x + theme.px(3), end.y}, colours.fault, theme.px(2)); }
  const float chipWidth = chip(list, theme, {at.x + pad, at.y + pad - theme.px(1)}, word(finding.kind));
  const float placeLeft = at.x + pad + chipWidth + theme.px(8);
  clippedTextAt(list, {placeLeft, at.y + pad}, end.x - pad - placeLeft, colours.textDim, placeText(state, finding));
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + pad, at.y + pad + line + theme.px(4)}, colours.text,
                finding.message.c_str(), nullptr, room);
  if (asked) { findingTooltip(theme, finding); }
}

void drawClean(const AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const experiment::CheckReport& report = *state.report;
  const Dim3& grid = state.experiment->configuration.grid;
  ImGui::PushTextWrapPos(0);
  label(theme, colours.good, "No findings.", Face::SansStrong, TextSize::Body);
  label(theme, colours.text,
        fmt::format("All {} blocks were executed and watched for races, accesses out of bounds, values that nobody "
                    "wrote, divergent barriers, unsigned numbers below zero, lost fractions and outputs left out.",
                    grouped(grid.count())));
  if (report.matchesReference) {
    label(
        theme, colours.textDim,
        fmt::format("The result is that of the double-precision reference; the largest relative difference is {:.2g}.",
                    report.maxError));
  } else {
    label(theme, colours.textDim, "What it should compute is not known, so the result was not compared.");
  }
  ImGui::PopTextWrapPos();
}

std::string caption(const AppState& state) {
  if (state.checking) { return "checking …"; }
  return state.report != nullptr ? fmt::format("checked in {:.0f} ms", state.report->seconds * 1e3) : "";
}

}  // namespace

void drawFindings(AppState& state, const Theme& theme) {
  const std::size_t count = findings(state).size();
  panelHeading(theme, count == 0 ? "Findings" : fmt::format("{} finding{}", count, count == 1 ? "" : "s"),
               count > 1 ? fmt::format("{}: the next one", keyText(Action::NextFinding)) : caption(state));
  if (state.report == nullptr || state.experiment == nullptr) {
    label(theme, theme.colours().textDim,
          state.checking ? "executing the whole grid under all analyses …" : "nothing was checked yet");
    return;
  }
  if (findingsHidden(state)) {
    label(theme, theme.colours().textDim, "Hidden until the task is solved, or you reveal them in the bug lab.");
    return;
  }
  if (count == 0) {
    drawClean(state, theme);
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild("findings", {0, 0}, ImGuiChildFlags_NavFlattened)) {
    for (std::size_t i = 0; i < count; ++i) { drawFinding(state, theme, i); }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace haloscope::ui
