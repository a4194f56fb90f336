#include "ui/widgets/Slider.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace haloscope::ui {

namespace {

constexpr std::int64_t kProportionalSpan = 64;

}  // namespace

bool Slider::proportional() const { return minimum > 0 && maximum / minimum >= kProportionalSpan; }

float Slider::share(std::int64_t value) const {
  if (maximum <= minimum) { return 0; }
  const auto at = static_cast<double>(std::clamp(value, minimum, maximum));
  const auto low = static_cast<double>(minimum);
  const auto high = static_cast<double>(maximum);
  return static_cast<float>(proportional() ? std::log(at / low) / std::log(high / low) : (at - low) / (high - low));
}

bool Slider::draw(const Theme& theme, std::int64_t& value) const {
  constexpr ImGuiCol kParts[] = {ImGuiCol_FrameBg,    ImGuiCol_FrameBgHovered,   ImGuiCol_FrameBgActive,
                                 ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_Border};
  for (const ImGuiCol part : kParts) { ImGui::PushStyleColor(part, 0); }
  ImGui::SetNextItemWidth(width);
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (proportional() ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
  const bool moved = ImGui::SliderScalar(id, ImGuiDataType_S64, &value, &minimum, &maximum, "", flags);
  ImGui::PopStyleColor(static_cast<int>(std::size(kParts)));

  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  const Palette& colours = theme.colours();
  const bool used = ImGui::IsItemActive() || ImGui::IsItemHovered();
  const ImU32 colour = used ? Theme::mixed(colours.accent, colours.text, 0.3F) : colours.accent;
  const float radius = theme.px(7);
  const float line = std::max(2.0F, theme.px(4));
  const float y = (min.y + max.y) / 2;
  const float x = min.x + radius + share(value) * (max.x - min.x - 2 * radius);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({min.x, y - line / 2}, {max.x, y + line / 2}, colours.border, line / 2);
  list->AddRectFilled({min.x, y - line / 2}, {x, y + line / 2}, theme.faded(colour, 0.6F), line / 2);
  list->AddCircleFilled({x, y}, radius, colour);
  return moved;
}

}  // namespace haloscope::ui
