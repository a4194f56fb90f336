#pragma once

#include "experiment/TuningMap.h"
#include "ui/Theme.h"

namespace haloscope::ui {

/// Time per point against the size of the problem, with the sizes at which the blocks fill whole waves; without times,
/// how full the waves are. An item as wide as the window, so high.
void drawSizeSweep(const experiment::TuningMap& map, const Theme& theme, float height);

}  // namespace haloscope::ui
