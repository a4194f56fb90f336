#pragma once

#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// What several figures have in common.
namespace haloscope::ui {

/// A wrapped sentence.
void sentence(const Theme& theme, ImU32 colour, const std::string& text);

/// A line through these places, in short pieces.
void dashedLine(ImDrawList* list, const Theme& theme, const std::vector<ImVec2>& line, ImU32 colour, float weight);

/// A box with the GPUs that limits can be computed for; `shown` is the one that they are for now.
void gpuBox(AppState& state, const Theme& theme, const std::string& shown, float width);

}  // namespace haloscope::ui
