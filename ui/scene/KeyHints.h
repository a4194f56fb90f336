#pragma once

#include "state/AppState.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Theme.h"

/// What a walk begins with, three keys and the pointer, above the scene until each has been used.
namespace haloscope::ui {

/// For the keyboard: `act` was called by its key.
void noteKeyUsed(AppState& state, Act act);
/// Pixels that drawKeyHints() takes; 0: all were used.
[[nodiscard]] float keyHintsWidth(const AppState& state, const Theme& theme);
/// A row of the keys that were not used yet; takes no room when there is none.
void drawKeyHints(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
