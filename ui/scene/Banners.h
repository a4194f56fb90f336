#pragma once

#include <string>

#include "state/AppState.h"
#include "ui/scene/SceneView.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Over the scene that was drawn between `min` and `max`: the element that two threads access with no barrier between
/// them, and both accesses, numbered in the order in which they happened, where `placer`, of the same rectangle, finds
/// room beside the cells; their cards are always whole. Nothing without a race in the block.
void drawRaceCallout(const AppState& state, const Theme& theme, const SceneView& scene, LabelPlacer placer, ImVec2 min,
                     ImVec2 max);

/// What the window says about stepping on the GPU: whose recording is shown and whether the emulator's is the same;
/// empty while it is off.
[[nodiscard]] std::string gpuSteppingSentence(const AppState& state);

/// That sentence above the scene, with the times on hover.
void drawGpuSteppingBanner(AppState& state, const Theme& theme, float width);

/// Above the scene while barriers are out: what that does to the outputs of the block, and a button that runs the warps
/// in an order that reveals it.
void drawBarrierBanner(AppState& state, const Theme& theme, float width);

/// On the stage: what is wrong with the kernel on screen, in its whole sentence, the way to its place, and what mends
/// it, to be tried at once. `width`: pixels that it may take. Nothing for a kernel without findings.
void drawFindingBanner(AppState& state, const Theme& theme, float width);

}  // namespace haloscope::ui
