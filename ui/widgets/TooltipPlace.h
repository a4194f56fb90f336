#pragma once

#include <imgui.h>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Before ImGui::BeginTooltip: beside the last item, or in a large item beside the pointer, so that what is described
/// stays visible. Where there is no room beside it the place is ImGui's.
void placeTooltip(const Theme& theme);

/// While keys are used, what the pointer happens to rest on is not explained: tooltips come back when the pointer
/// moves, or when the keyboard's focus goes on to something else.
class RestingTooltips {
 public:
  /// After all tooltips of a frame were drawn.
  void update();

 private:
  bool resting_ = false;
  ImGuiID focus_ = 0;
};

}  // namespace haloscope::ui
