#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "actions/ClimbRows.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "ui/panels/ClimbTable.h"
#include "ui/source/DifferenceView.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The climb: every rung on the way of the chosen variant, and the sources of two of them side by side.
namespace haloscope::ui {

namespace {

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
