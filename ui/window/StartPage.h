#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::render {
class SceneRenderers;
}
namespace haloscope::ui {

/// The page that the window begins with, between `top` and `bottom` of the display: where to go from here, what was
/// looked at lately, and a block at work.
void drawStartPage(AppState& state, const Theme& theme, render::SceneRenderers& scenes, float top, float bottom);

}  // namespace haloscope::ui
