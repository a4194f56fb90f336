#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "render/SceneModel.h"
#include "render/SceneProjection.h"
#include "ui/scene/SceneLabels.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The barrier at which the block's threads are, as a gate where the scene in the rectangle from `min` to `max` leaves
/// room, on which `name` stands: a row for each warp, in front of it those that have come, further away those that are
/// awaited; where there is room for them beside it, words say how many have come. It opens once the last has come.
/// Keeps off `taken`, and is left out where there is no room for it.
void drawBarrierGate(const Theme& theme, const render::SceneModel& model, const render::SceneProjection& projection,
                     float progress, const std::string& name, const std::vector<LabelPlace>& taken, ImVec2 min,
                     ImVec2 max);

}  // namespace haloscope::ui
