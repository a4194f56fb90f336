#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// All tasks of the bug lab as cards over the window: title, what goes wrong, difficulty, and whether it is solved.
/// `openLabGallery` from the window in which `drawLabGallery` is called each frame; a task or Esc closes it.
void openLabGallery();
void drawLabGallery(AppState& state, const Theme& theme);

}  // namespace haloscope::ui
