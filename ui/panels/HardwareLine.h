#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// How panels ask for hardware counters and tell what came of it.
namespace haloscope::ui {

/// "measure", a word to be pressed, at `right` of the window's row that begins at `top`; returns its width, with the
/// gap before it.
float measureLink(AppState& state, const Theme& theme, float right, float top);

/// The reading of what is on screen; null if there is none.
[[nodiscard]] const measuring::HardwareReading* shownReading(const AppState& state);

/// One line: what keeps the counters from being read; with a reading, why DRAM's OP/B is another than the book's. Empty
/// before anything was asked for.
[[nodiscard]] std::string hardwareLine(const AppState& state);
/// What a reading says of sectors, conflicts, caches and time, as a tooltip.
void hardwareTooltip(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
