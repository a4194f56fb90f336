#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "actions/TypedCellActions.h"
#include "language/Text.h"
#include "state/TypedCell.h"
#include "ui/panels/ArrayGrids.h"
#include "ui/panels/LaneStrip.h"
#include "ui/panels/ThreadTable.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The block's state at the cursor: arrays, one thread's variables, all lanes, constants.
namespace haloscope::ui {
namespace {

/// The title, and the legend of the outlines at the right.
void heading(const Theme& theme) {
  const ImVec2 start = ImGui::GetCursorPos();
  const float width = ImGui::GetContentRegionAvail().x;
  panelHeading(theme, tr("Memory of the block"));
  const ImVec2 below = ImGui::GetCursorPos();
  const std::array entries = {LegendEntry{theme.colours().active, tr("written now"), Swatch::Outlined},
                              LegendEntry{theme.colours().text, tr("selected thread"), Swatch::Outlined}};
  const float wide = legendWidth(theme, entries);
  float title = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    title = textWidth(tr("Memory of the block"));
  }
  if (title + wide + theme.px(8) > width) {
    legend(theme, entries);
    return;
  }
  ImGui::SetCursorPos({start.x + width - wide, start.y + theme.px(2)});
  legend(theme, entries);
  ImGui::SetCursorPos(below);
}

/// What each array begins with, as a button that changes it.
void drawDataRow(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::AlignTextToFramePadding();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const ChoosableArray& array : choosableArrays(state)) {
    std::string text = array.name;
    if (!array.choice.isDefault()) {
      text += ": " + inputs::describe(array.choice);
      if (!array.choice.cells.empty()) {
        text += trn(" + {} number", " + {} numbers", array.choice.cells.size(), array.choice.cells.size());
      }
    }
    const float wide = textWidth(text) + 2 * ImGui::GetStyle().FramePadding.x;
    if (!first) {
      ImGui::SameLine();
      if (ImGui::GetCursorScreenPos().x + wide > right) { ImGui::NewLine(); }
    }
    first = false;
    if (ImGui::SmallButton((text + "###data of " + array.name).c_str())) { typeArray(state, array.name); }
    ImGui::SetItemTooltip("%s", trf("what {} holds: choose its numbers", array.name).c_str());
  }
}

void drawMemory(AppState& state, const Theme& theme, const PanelTools&) {
  heading(theme);
  if (state.cursor.empty() || state.experiment == nullptr) {
    label(theme, theme.colours().textDim, state.computing ? tr("recording the block…") : tr("Nothing is recorded."));
    return;
  }
  const std::uint32_t threads = state.cursor.recording().threadCount();
  if (state.selection.thread >= threads) { state.selection.thread = threads > 0 ? threads - 1 : 0; }

  // The arrays get the height left over by the rest as laid out in the last frame; the lanes get the remainder.
  const float room = ImGui::GetContentRegionAvail().y;
  const float rest = storedFloat("height of the rest", room * 0.5F);
  const float leastLanes = leastLaneStripHeight(state, theme);
  const auto gap = [&] { ImGui::Dummy({0, theme.px(2)}); };
  float newRest = rest;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.px(8), theme.px(2)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open = ImGui::BeginChild("memory", {0, 0}, ImGuiChildFlags_NavFlattened);
  ImGui::PopStyleVar();
  if (open) {
    drawDataRow(state, theme);
    const float top = ImGui::GetCursorPosY();
    drawArrayGrids(state, theme, std::clamp(room - rest, room * 0.3F, room * 0.7F));
    const float arrays = ImGui::GetCursorPosY() - top;
    drawArrayLegend(state, theme);
    gap();
    drawThreadHeading(state, theme);
    drawThreadValues(state, theme);
    drawThreadAccesses(state, theme);
    gap();
    const float lanesTop = ImGui::GetCursorPosY();
    drawLaneStrip(state, theme, std::max(leastLanes, leastLanes + room - rest - arrays));
    const float lanes = ImGui::GetCursorPosY() - lanesTop;
    drawLaneLegend(state, theme);
    newRest = ImGui::GetCursorPosY() - top - arrays - lanes + leastLanes;
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  store("height of the rest", newRest);
}

constexpr std::array kMemoryKeys = {Shortcut{.act = toggleTab<Tab::Memory, Tab::Source>,
                                             .group = KeyGroup::Walk,
                                             .text = trMark("the memory of the block"),
                                             .keys = ImGuiKey_F2}};

}  // namespace

extern const Panel kMemoryPanel = {
    .tab = Tab::Memory, .title = trMark("Memory"), .draw = drawMemory, .shortcuts = kMemoryKeys};

}  // namespace haloscope::ui
