#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The lessons of both chapters, with what was read and answered; a click opens one.
void drawCourseMap(AppState& state, const Theme& theme, float width);

}  // namespace haloscope::ui
