#pragma once

#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// Drawing helpers shared by several figures.
namespace haloscope::ui {

/// A wrapped sentence.
void sentence(const Theme& theme, ImU32 colour, const std::string& text);

/// A dashed line through these points.
void dashedLine(ImDrawList* list, const Theme& theme, const std::vector<ImVec2>& line, ImU32 colour, float weight);

/// A combo box of the GPUs whose limits are known; `shown` is the current one.
void gpuBox(AppState& state, const Theme& theme, const std::string& shown, float width);

/// ImPlot's text of a share on an axis: "25 %".
int percentTick(double value, char* buffer, int size, void* /*data*/);

}  // namespace haloscope::ui
