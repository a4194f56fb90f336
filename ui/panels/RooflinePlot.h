#pragma once

#include "actions/ChosenGpu.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Plots the roofs with the bound of each variant of the chapter, what the current one achieved, and the variants with
/// hardware counters. Takes the window's width and its height, except for `below` pixels at the bottom.
void drawRooflinePlot(const AppState& state, const Theme& theme, const Roofs& roofs, float below);

}  // namespace haloscope::ui
