#pragma once

#include <span>
#include <vector>

#include "ui/widgets/Panel.h"

namespace haloscope::ui {

/// Every panel, in the order of Tab.
[[nodiscard]] std::span<const Panel* const> panels();
[[nodiscard]] const Panel& panelOf(Tab tab);

/// Every shortcut, the general ones and those of the panels, group by group in the order of the help.
[[nodiscard]] const std::vector<Shortcut>& shortcuts();

}  // namespace haloscope::ui
