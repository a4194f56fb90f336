#pragma once

#include <string>
#include <vector>

#include "state/AppState.h"

namespace haloscope {

/// Whether a panel shows the block where the cursor is.
[[nodiscard]] bool followsCursor(Tab panel);

/// Whether a panel shows the chosen kernel as it was executed; others have a subject of their own, which they name.
[[nodiscard]] bool showsExperiment(Tab panel);

/// What a picture of a panel alone has to say: kernel and sizes (of variants side by side: of each); block and step;
/// where its numbers come from. A line each, in the language of the window. Empty for a panel that has another subject.
[[nodiscard]] std::vector<std::string> panelCaption(const AppState& state, Tab panel);

}  // namespace haloscope
