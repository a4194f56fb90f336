#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The rail at the window's right edge: the panels of the workspace that are opened on demand, each by its name. Those
/// in kDrawer open over the other panels and take no room from them.
[[nodiscard]] float railWidth(const AppState& state, const Theme& theme);
void drawRail(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max);

/// Where a panel in kDrawer begins, at the right of what lies between the pixels `left` and `right`.
[[nodiscard]] float drawerLeft(const Theme& theme, float left, float right);

}  // namespace haloscope::ui
