#pragma once

#include "state/AppState.h"
#include "ui/scene/SceneView.h"

namespace haloscope::ui {

/// Over the scene that was drawn between `min` and `max`: the element that two threads access with no barrier between
/// them, and both accesses, numbered in the order in which they happened, where `placer`, of the same rectangle, finds
/// room beside the cells; their cards are always whole. Nothing without a race in the block.
void drawRaceCallout(const AppState& state, const Theme& theme, const SceneView& scene, LabelPlacer placer, ImVec2 min,
                     ImVec2 max);

}  // namespace haloscope::ui
