#pragma once

#include "state/AppState.h"

namespace haloscope::ui {

/// Lets ImGui's settings file remember theme and text size as well as the places of the panels. Call it after ImGui's
/// context was made and before its first frame; `view` must outlive the context.
void rememberView(View& view);
/// Call it when theme or text size have changed: the file is written a while later.
void viewChanged();

}  // namespace haloscope::ui
