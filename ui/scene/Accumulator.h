#pragma once

#include <imgui.h>

#include <string>

#include "render/SceneModel.h"
#include "render/SceneProjection.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Over the scene in the rectangle from `min` to `max`: what a thread reads runs into its accumulator, whose value is
/// that before the step until all of it has come; then it goes to the cell that the step writes. `progress` is that of
/// the step's movement, `thread` the thread's name. The value keeps off `covered` pixels in the upper right corner.
void drawAccumulator(const Theme& theme, const render::SceneModel& model, const render::SceneProjection& projection,
                     float progress, const std::string& thread, ImVec2 min, ImVec2 max, ImVec2 covered);

}  // namespace haloscope::ui
