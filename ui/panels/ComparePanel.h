#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::render {
class SceneRenderers;
}
namespace haloscope::ui {

/// Variants side by side, in the block's place.
void drawComparison(AppState& state, const Theme& theme, render::SceneRenderers& renderers);

}  // namespace haloscope::ui
