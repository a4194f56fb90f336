#pragma once

#include "measuring/TuningMap.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Plots the time per point over the problem size, marking sizes at which the blocks fill whole waves; without times,
/// the utilisation of the waves. Takes the window's width and `height` pixels.
void drawSizeSweep(const measuring::TuningMap& map, const Theme& theme, float height);

}  // namespace haloscope::ui
