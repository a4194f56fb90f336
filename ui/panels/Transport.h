#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// The buttons that play a recording and step through it, the speed, and how many outputs are written.
namespace haloscope::ui {

/// Width in pixels of drawTransportColumn().
[[nodiscard]] float transportColumnWidth(const Theme& theme);
/// All of it in a column at the cursor, in the middle of `height` pixels. Where they are few, the outputs give way and
/// the button that plays is no larger than the others.
void drawTransportColumn(AppState& state, const Theme& theme, float height);
/// All of it in a row of `height` pixels at the cursor. Where it is narrow, the outputs give way.
void drawTransportRow(AppState& state, const Theme& theme, float height);

}  // namespace haloscope::ui
