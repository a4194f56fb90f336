#include "ui/figures/FigureParts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

void sentence(const Theme& theme, ImU32 colour, const std::string& text) {
  ImGui::PushTextWrapPos(0);
  label(theme, colour, text);
  ImGui::PopTextWrapPos();
}

void dashedLine(ImDrawList* list, const Theme& theme, const std::vector<ImVec2>& line, ImU32 colour, float weight) {
  const float dash = theme.px(5), period = theme.px(8);
  float walked = 0;  // keeps the dash length constant across short segments
  for (std::size_t i = 1; i < line.size(); ++i) {
    const ImVec2 from = line[i - 1], to = line[i];
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    for (float at = 0; at < length;) {
      const float phase = std::fmod(walked + at, period);
      const float piece = std::min(length - at, (phase < dash ? dash : period) - phase + 0.01F);
      if (phase < dash) {
        const float a = at / length, b = (at + piece) / length;
        list->AddLine({std::lerp(from.x, to.x, a), std::lerp(from.y, to.y, a)},
                      {std::lerp(from.x, to.x, b), std::lerp(from.y, to.y, b)}, colour, weight);
      }
      at += piece;
    }
    walked += length;
  }
}

void gpuBox(AppState& state, const Theme& theme, const std::string& shown, float width) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(6), theme.px(1)));
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##gpu", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (std::size_t i = 0; i < state.gpuSpecs.size(); ++i) {
      const measuring::GpuSpec& spec = state.gpuSpecs[i];
      if (ImGui::Selectable(spec.name.c_str(), spec.name == shown)) { state.view.gpuSpec = static_cast<int>(i); }
    }
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
}

int percentTick(double value, char* buffer, int size, void* /*data*/) {
  return std::snprintf(buffer, static_cast<std::size_t>(size), "%.0f %%", value * 100);
}

}  // namespace haloscope::ui
