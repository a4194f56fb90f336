#include "ui/panels/ProgramFaultRow.h"

#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

void drawProgramFault(AppState& state, const Theme& theme, const ProgramFault& fault, int number) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const std::string place = hostPlaceText(fault.at);
  const std::string text = fmt::format("{}{}{}{}: {}", place, place.empty() ? "" : "  ",
                                       fault.grave ? "" : tr("note: "), fault.title, fault.sentence);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float indent = theme.px(10);
  const float height = ImGui::CalcTextSize(text.c_str(), nullptr, false, width - indent).y;
  ImGui::PushID(number);
  if (ImGui::InvisibleButton("program fault", {width, height}, ImGuiButtonFlags_EnableNav)) {
    chooseProgramFault(state, fault);
  }
  ImGui::PopID();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (lastItemAsked()) {
    list->AddRectFilled(at, {at.x + width, at.y + height}, theme.faded(colours.text, 0.06F), theme.px(3));
  }
  list->AddRectFilled(at, {at.x + theme.px(3), at.y + height}, fault.grave ? colours.fault : colours.textDim,
                      theme.px(1.5F));
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + indent, at.y}, colours.text, text.c_str(), nullptr,
                width - indent);
}

}  // namespace haloscope::ui
