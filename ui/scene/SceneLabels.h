#pragma once

#include <imgui.h>

#include <vector>

#include "language/Text.h"
#include "render/SceneModel.h"
#include "render/SceneProjection.h"
#include "ui/scene/SceneColours.h"
#include "ui/widgets/Theme.h"

/// The labels of the block scene: names of its planes, in ImGui's sharp text.
namespace haloscope::ui {

/// Space that labels need around the scene. Depends on names only, not on the step, so that the framing stays still.
/// `aspect` is height by width of the picture.
[[nodiscard]] render::SceneMargins labelMargins(const Theme& theme, const render::SceneModel& model, float aspect);

/// The last line under the loads that are counted, to be translated.
inline constexpr const char* kCountedLoads = trMark("all arrays, this interval");

/// Upper left and lower right corner.
struct LabelPlace {
  ImVec2 min, max;
};

/// Draws the labels into the rectangle from `min` to `max`, in which the projection's picture lies, moving those that
/// would overlap, and says where they are, but for those that are engraved. They keep off `covered` pixels in the lower
/// left corner. `progress` is that of the step's movement.
std::vector<LabelPlace> drawSceneLabels(const Theme& theme, const render::SceneModel& model,
                                        const render::SceneProjection& projection, float progress, ImVec2 min,
                                        ImVec2 max, ImVec2 covered);

}  // namespace haloscope::ui
