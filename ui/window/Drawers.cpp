#include "ui/window/Drawers.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "actions/BugLabTasks.h"
#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kRail = 30, kPad = 14, kLeastPad = 3;  // at scale 1
constexpr float kDrawerWidth = 430;                    // likewise
constexpr float kSmallestLetters = 0.6F;               // by the small ones
constexpr float kMostOfWindow = 0.5F;                  // that a drawer covers

std::vector<Tab> railTabs(Workspace workspace) {
  std::vector<Tab> tabs;
  for (const PanelRow& row : layoutOf(workspace).panels) {
    if (row.onDemand) { tabs.push_back(row.tab); }
  }
  return tabs;
}

/// Beside the name of the findings: how many there are, or that the checks go on or were refused.
struct Badge {
  std::string text;
  ImU32 colour = 0;
};
Badge badgeOf(const AppState& state, const Theme& theme, Tab tab) {
  if (tab != Tab::Findings || findingsHidden(state)) { return {}; }
  if (state.report == nullptr) { return {state.checking ? "…" : "", theme.colours().textDim}; }
  if (!state.report->notChecked.empty()) { return {"?", theme.colours().halo}; }
  const std::vector<ProgramFault> others = programFaults(state);
  const std::size_t count =
      findings(state).size() + static_cast<std::size_t>(std::ranges::count_if(others, &ProgramFault::grave));
  return {std::to_string(count), count > 0 ? theme.colours().fault : theme.colours().good};
}

/// `at`: its upper right corner on the screen.
void readDownwards(ImDrawList* list, ImVec2 at, ImU32 colour, std::string_view text) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  list->PushClipRect(viewport->Pos, {viewport->Pos.x + viewport->Size.x, viewport->Pos.y + viewport->Size.y});
  slantedTextAt(list, at, {0, 1}, {-1, 0}, colour, text);
  list->PopClipRect();
}

void drawNames(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max) {
  const std::vector<Tab> tabs = railTabs(state.view.tabs.workspace());
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  float words = 0;
  for (const Tab tab : tabs) {
    const std::string badge = badgeOf(state, theme, tab).text;
    words += textWidth(tr(panelOf(tab).title)) + (badge.empty() ? 0 : textWidth(badge) + theme.px(10));
  }
  const float least = words + theme.px(2 * kLeastPad) * static_cast<float>(tabs.size());
  const float smaller = std::clamp((max.y - min.y) / std::max(least, 1.0F), kSmallestLetters, 1.0F);
  ImGui::PushFont(nullptr, ImGui::GetFontSize() * smaller);
  words *= smaller;
  const float spare = (max.y - min.y - words) / static_cast<float>(2 * tabs.size());
  const float pad = std::clamp(spare, theme.px(kLeastPad), theme.px(kPad));
  const float width = max.x - min.x;
  float y = min.y;
  for (const Tab tab : tabs) {
    const char* title = tr(panelOf(tab).title);
    const auto [badge, badgeColour] = badgeOf(state, theme, tab);
    const float text = textWidth(title);
    const float height = text + 2 * pad + (badge.empty() ? 0 : textWidth(badge) + theme.px(10));
    ImGui::SetCursorScreenPos({min.x, y});
    if (ImGui::InvisibleButton(nameOf(tab).c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) {
      state.view.tabs.toggle(tab, tab);
    }
    const bool open = !state.view.tabs.closed(tab);
    const bool asked = lastItemAsked();
    if (open || asked) {
      list->AddRectFilled({min.x, y}, {max.x, y + height},
                          open ? colours.panelRaised : theme.faded(colours.panelRaised, 0.5F), theme.px(5));
    }
    if (open) { list->AddRectFilled({min.x, y}, {min.x + std::max(2.0F, theme.px(2)), y + height}, colours.accent); }
    const float right = std::round(min.x + (width + ImGui::GetTextLineHeight()) / 2);
    readDownwards(list, {right, y + pad}, open || asked ? colours.text : colours.textDim, title);
    if (!badge.empty()) { readDownwards(list, {right, y + pad + text + theme.px(10)}, badgeColour, badge); }
    const auto& keys = panelOf(tab).shortcuts;
    if (asked && !keys.empty()) {
      const Tooltip tip(theme);
      tip.row(keyText(keys.front()), tr(keys.front().text));
    }
    y += height;
  }
  ImGui::PopFont();
}

}  // namespace

float railWidth(const AppState& state, const Theme& theme) {
  return hasDrawers(state.view.tabs.workspace()) ? theme.px(kRail) : 0;
}

void drawRail(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max) {
  if (!hasDrawers(state.view.tabs.workspace())) { return; }
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("##rail", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  drawNames(state, theme, min, max);
  ImGui::End();
}

float drawerLeft(const Theme& theme, float left, float right) {
  return right - std::min(theme.px(kDrawerWidth), kMostOfWindow * (right - left));
}

}  // namespace haloscope::ui
