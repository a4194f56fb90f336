#pragma once

#include <imgui.h>

#include "render/SceneModel.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The colour of the theme for a colour of the scene.
[[nodiscard]] ImU32 sceneColour(const Theme& theme, render::SceneColour colour);
/// That of words on the front of the bench, which lies in the dark in both themes.
[[nodiscard]] ImU32 engravedColour(const Theme& theme, render::SceneColour colour);

}  // namespace haloscope::ui
