#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "recording/StepCaption.h"
#include "ui/source/SourceEditor.h"
#include "ui/source/SourceSearch.h"
#include "ui/source/SourceView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The kernel's source, for reading or editing, with its costs and the current statement.
namespace haloscope::ui {
namespace {

constexpr float kLowPanel = 10;  // lines below which the legend gives way to the source

std::string positionText(const AppState& state) {
  if (state.cursor.empty()) { return {}; }
  if (state.cursor.atStart()) { return trf("before the first of {} steps", grouped(state.cursor.end())); }
  return recording::stepPlaceText(state.cursor);
}

/// At the right end of a row: to the editor, or back to reading.
void editToggle(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const char* text = state.editing.open ? tr("read") : tr("edit");
  const ImVec2 size{textWidth(text), ImGui::GetTextLineHeight()};
  ImGui::SameLine();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - size.x);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("edit", size, ImGuiButtonFlags_EnableNav)) { toggleEditor(state); }
  const ImU32 colour = lastItemAsked() ? theme.colours().text : theme.colours().accent;
  textAt(ImGui::GetWindowDrawList(), at, colour, text);
  if (!lastItemAsked()) { return; }
  const Tooltip tooltip(theme);
  tooltip.note(state.editing.open ? tr("back to the source with costs and the current statement (Esc)")
                                  : trf("edit the source; it runs when you pause typing ({})", keyText(toggleEditor)));
}

/// What the editor's foot says: what is wrong, whether the text was saved, which keys to press.
void editorFoot(AppState& state, const Theme& theme, const WorkingCopy& copy) {
  const Palette& colours = theme.colours();
  if (state.problem) {
    clippedLabel(theme, Theme::mixed(colours.fault, colours.text, 0.3F), state.problem->message);
  } else if (!state.editing.message.empty()) {
    clippedLabel(theme, state.editing.failed ? colours.fault : colours.good, state.editing.message);
  } else {
    label(theme, colours.textDim, state.computing ? tr("executing …") : tr("up to date"));
  }
  const std::string keys =
      copy.opened ? trf("{} saves · {} leaves", keyText(save), "Esc") : tr("your working copy · Esc leaves");
  label(theme, colours.textDim, keys);
  editToggle(state, theme);
}

void drawEditing(AppState& state, const Theme& theme, SourceEditor& editor) {
  const WorkingCopy& copy = state.copies.at(state.choice.kernel);
  panelHeading(theme, shownFileName(state.catalogue, copy.id), copy.changed() ? tr("edited") : "");
  // Two lines below: a message may need both.
  const float line = theme.textPixels(TextSize::Small) + ImGui::GetStyle().ItemSpacing.y;
  const float height = std::max(theme.px(48), ImGui::GetContentRegionAvail().y - 2 * line - theme.px(2));
  editor.draw(state, theme, {0, height});
  editorFoot(state, theme, copy);
}

void drawSource(AppState& state, const Theme& theme, const PanelTools& tools) {
  state.editing.focused = false;
  if (state.editing.open && state.copies.contains(state.choice.kernel)) {
    drawEditing(state, theme, tools.editor);
    return;
  }
  if (state.experiment == nullptr) {
    panelHeading(theme, tr("Source"));
    label(theme, theme.colours().textDim,
          state.computing ? tr("reading the kernel…") : tr("the kernel cannot be executed yet"));
    editToggle(state, theme);
    return;
  }
  const HeatMeasure measure = heatHeading(theme, shownFileName(state.catalogue, state.experiment->file.id));
  std::vector<Occurrence> found = drawSourceSearch(state, theme, shownLines(state));

  // Two lines below, in a low panel one; and whole rows only.
  const float line = theme.textPixels(TextSize::Small) + ImGui::GetStyle().ItemSpacing.y;
  const float room = ImGui::GetContentRegionAvail().y;
  const float bottom = ImGui::GetCursorPosY() + room;
  const bool low = room < kLowPanel * line;
  float height = std::max(theme.px(48), room - (low ? 1 : 2) * line - theme.px(6));
  {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    height = std::floor(height / sourceRowHeight()) * sourceRowHeight();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild("code", {0, height}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_AlwaysVerticalScrollbar)) {
    drawSourceView(state, theme, measure, std::move(found));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();

  if (!low) {
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), bottom - 2 * line));
    heatLegend(theme, *state.experiment, measure);
  }
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY() - theme.px(2), bottom - line + ImGui::GetStyle().ItemSpacing.y));
  const recording::Recording* recording = state.experiment->recording.get();
  if (recording != nullptr && recording->truncated && state.cursor.position() == state.cursor.end()) {
    label(theme, theme.colours().fault, trf("the recording ends here: {}", recording->message));
  } else if (state.problem && !state.problem->where.valid()) {
    label(theme, theme.colours().fault, state.problem->message);
  } else {
    std::string text = positionText(state);
    const FontScope font(theme, Face::Sans, TextSize::Small);
    const float width = ImGui::GetContentRegionAvail().x - textWidth(tr("edit")) - theme.px(8);
    if (textWidth(text) > width) { text = text.substr(0, text.find(" · ")); }
    label(theme, theme.colours().activeText, text);
  }
  editToggle(state, theme);
}

constexpr std::array kSourceKeys = {Shortcut{.act = toggleTab<Tab::Source, Tab::Memory>,
                                             .group = KeyGroup::Text,
                                             .text = trMark("the whole source beside the stage"),
                                             .keys = ImGuiKey_F4}};

}  // namespace

extern const Panel kSourcePanel = {
    .tab = Tab::Source, .title = trMark("Source"), .draw = drawSource, .shortcuts = kSourceKeys};

}  // namespace haloscope::ui
