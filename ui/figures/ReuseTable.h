#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The maximum OP/B with full reuse, by dimension and order, for stencils and convolutions: by formula and from the
/// operations that the catalogue's variants execute.
void drawReuseTable(const AppState& state, const Theme& theme);
[[nodiscard]] float reuseTableHeight(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
