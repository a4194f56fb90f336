#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// Requests hardware counters and shows the readings.
namespace haloscope::ui {

/// Draws the "measure" link ending at `right` in the row that begins at `top`; returns its width including the gap
/// before it.
float measureLink(AppState& state, const Theme& theme, float right, float top);

/// The reading for the current choice; null if there is none.
[[nodiscard]] const measuring::HardwareReading* shownReading(const AppState& state);

/// One line: why counters cannot be read or, with a reading, why OP/B by DRAM differs from the formula. Empty before
/// the first request.
[[nodiscard]] std::string hardwareLine(const AppState& state);
/// A tooltip with the reading's sectors, bank conflicts, cache traffic and time.
void hardwareTooltip(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
