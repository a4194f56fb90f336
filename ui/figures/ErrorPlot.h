#pragma once

#include <vector>

#include "figures/DerivativeErrors.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The derivatives' errors over the spacing, both axes logarithmic; `type` in full colour, the other types faint.
/// A line marks `spacing`.
void drawErrorPlot(const std::vector<figures::ErrorCurve>& curves, ValueType type, double spacing, const Theme& theme,
                   float height);
/// The measured orders of `type`, in one row.
void drawMeasuredOrders(const std::vector<figures::ErrorCurve>& curves, ValueType type, const Theme& theme);

}  // namespace haloscope::ui
