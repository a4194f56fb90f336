#pragma once

#include <span>
#include <vector>

#include "render/SceneModel.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// One legend for several pictures. Entries that look the same share one with the words of all, "interior / current
/// plane": two of one colour would tell nothing apart.
[[nodiscard]] std::vector<render::SceneLegendEntry> joinedLegend(const Theme& theme,
                                                                 std::span<const render::SceneLegendEntry> entries);

}  // namespace haloscope::ui
