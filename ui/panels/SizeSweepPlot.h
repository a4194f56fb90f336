#pragma once

#include "measuring/TuningMap.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Time per point against the size of the problem, with the sizes at which the blocks fill whole waves; without times,
/// how full the waves are. An item as wide as the window, so high.
void drawSizeSweep(const measuring::TuningMap& map, const Theme& theme, float height);

}  // namespace haloscope::ui
