#pragma once

#include <cstdint>

#include "state/AppState.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Presentation mode: the panels of the hall across the whole window, with what the lecturer draws over them.
void drawHall(AppState& state, const Theme& theme, const PanelTools& tools);

/// The lecturer's own window: notes, time, the next scene. `live`: a texture of what the frozen presentation would
/// show; 0: it is not frozen. The keys of a clicker act here, too.
void drawNotesPage(AppState& state, const Theme& theme, std::uint32_t live, int width, int height);

}  // namespace haloscope::ui
