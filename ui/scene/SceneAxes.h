#pragma once

#include <imgui.h>

#include <cstddef>
#include <vector>

#include "render/SceneFacts.h"
#include "render/SceneModel.h"
#include "render/SceneProjection.h"
#include "ui/scene/SceneLabels.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Small arrows at the scene's lower edge: where each axis of the arrays runs as the scene is turned now, and
/// which of them is the fastest, whose neighbours are neighbours in memory. `rank` is the arrays' number of axes.
/// `corner`: pixels that something covers at the lower left. Where they would lie on one of `labels`, they stand above
/// that. Says where they are.
LabelPlace drawSceneAxes(const Theme& theme, const render::SceneProjection& projection, const render::SceneModel& model,
                         const render::SceneFacts& facts, std::size_t rank, ImVec2 min, ImVec2 max, ImVec2 corner,
                         const std::vector<LabelPlace>& labels);

}  // namespace haloscope::ui
