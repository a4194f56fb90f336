#pragma once

#include <imgui.h>

#include <vector>

#include "experiment/Experiment.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// One colour per carrier of an experiment, the same in every panel: when the block computes an output point, a carrier
/// that holds the plane before it has the colour of the previous plane, one that holds the plane after it that of the
/// next, and every other one that of the interior. Found in the recording, at the last step that writes an output.
[[nodiscard]] std::vector<ImU32> carrierColours(const Theme& theme, const experiment::Experiment& experiment);

}  // namespace haloscope::ui
