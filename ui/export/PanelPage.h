#pragma once

#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A panel that fills the display, and below it the caption that a picture of it alone needs.
void drawPanelPage(Tab panel, AppState& state, const Theme& theme, const PanelTools& tools);

}  // namespace haloscope::ui
