#include "ui/export/PanelPage.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/ExportActions.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kPageEdge = 12, kCaptionGap = 6;  // at scale 1

constexpr ImGuiWindowFlags kPage = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings;

/// The text's colours: other panels have a legend of their own.
std::vector<LegendEntry> rolesOf(Tab panel, const Theme& theme) {
  if (panel != Tab::Source) { return {}; }
  const Palette& colours = theme.colours();
  return {{colours.interior, tr("interior points")},
          {colours.halo, tr("halo cells")},
          {colours.output, tr("output")},
          {colours.active, tr("current step")}};
}

}  // namespace

void drawPanelPage(Tab panel, AppState& state, const Theme& theme, const PanelTools& tools) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const Palette& colours = theme.colours();
  const float edge = theme.px(kPageEdge);
  const float width = viewport->Size.x - 2 * edge;
  const std::vector<LegendEntry> roles = rolesOf(panel, theme);
  std::vector<std::string> caption;
  float foot = edge / 2;
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    for (const std::string& line : panelCaption(state, panel)) {
      caption.push_back(wrapped(theme, line, width));
      foot += ImGui::CalcTextSize(caption.back().c_str()).y + theme.px(2);
    }
    if (!roles.empty()) { foot += ImGui::GetTextLineHeight() + theme.px(kCaptionGap); }
  }
  const float bottom = std::max(viewport->Size.y / 2, viewport->Size.y - foot - theme.px(kCaptionGap));
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({viewport->Size.x, bottom});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool drawn = ImGui::Begin((std::string("###Export ") + nameOf(panel)).c_str(), nullptr, kPage);
  if (drawn) { panelOf(panel).draw(state, theme, tools); }
  ImGui::End();
  ImGui::SetNextWindowPos({0, bottom});
  ImGui::SetNextWindowSize({viewport->Size.x, viewport->Size.y - bottom});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {edge, theme.px(kCaptionGap)});
  ImGui::Begin("###Caption", nullptr, kPage | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar(3);
  ImGui::GetWindowDrawList()->AddLine({edge, bottom}, {viewport->Size.x - edge, bottom}, colours.border);
  if (!roles.empty()) { legend(theme, roles); }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, theme.px(2)});
  for (const std::string& line : caption) { label(theme, colours.textDim, line); }
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace haloscope::ui
