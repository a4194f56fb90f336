#pragma once

#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// What the window says about stepping on the GPU: whose recording is shown and whether the emulator's is the same;
/// empty while it is off.
[[nodiscard]] std::string gpuSteppingSentence(const AppState& state);

/// That sentence above the scene, with the times on hover.
void drawGpuSteppingBanner(AppState& state, const Theme& theme, float width);

}  // namespace haloscope::ui
