#include "ui/scene/SceneColours.h"

#include <algorithm>

namespace haloscope::ui {

using render::SceneColour;

ImU32 sceneColour(const Theme& theme, SceneColour colour) {
  const Palette& palette = theme.colours();
  switch (colour) {
    case SceneColour::Interior:
      return palette.interior;
    case SceneColour::Halo:
      return palette.halo;
    case SceneColour::Ghost:
      return palette.ghost;
    case SceneColour::Unwritten:  // its outlines are not those of points outside
      return Theme::mixed(palette.ghost, palette.text, 0.45F);
    case SceneColour::Computed:
      return theme.of(recording::Role::Computed);
    case SceneColour::Output:
    case SceneColour::Pending:
    case SceneColour::Next:
      return palette.output;
    case SceneColour::Previous:
      return palette.previous;
    case SceneColour::Active:
      return palette.active;
    case SceneColour::ActiveEdge:
      return palette.activeEdge;
    case SceneColour::Fault:
      return palette.fault;
    case SceneColour::Frame:
      return palette.ghost;
    case SceneColour::Bench:
      return palette.border;
    case SceneColour::Casing:
      return palette.panel;
    case SceneColour::Text:
    case SceneColour::Count:
      break;
  }
  return palette.text;
}

ImU32 engravedColour(const Theme& theme, SceneColour colour) {
  const ImU32 own = sceneColour(theme, colour);
  if (!theme.light()) { return Theme::mixed(own, IM_COL32_WHITE, 0.15F); }
  // Mixed with white, the dark colours of the light theme would all be grey: their hue stays, bright.
  constexpr float kSaturation = 0.4F;
  const ImVec4 from = ImGui::ColorConvertU32ToFloat4(own);
  float hue = 0, saturation = 0, value = 0;
  ImGui::ColorConvertRGBtoHSV(from.x, from.y, from.z, hue, saturation, value);
  ImVec4 bright{0, 0, 0, 1};
  ImGui::ColorConvertHSVtoRGB(hue, std::min(saturation, kSaturation), 1, bright.x, bright.y, bright.z);
  return ImGui::ColorConvertFloat4ToU32(bright);
}

}  // namespace haloscope::ui
