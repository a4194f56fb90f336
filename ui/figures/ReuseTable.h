#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// What reuse can reach at most, by dimension and order: a stencil beside a convolution, by formula and as the
/// catalogue's variants execute it.
void drawReuseTable(const AppState& state, const Theme& theme);
[[nodiscard]] float reuseTableHeight(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
