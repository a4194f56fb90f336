#pragma once

#include "figures/SineSamples.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The colour of the formula with this many points, in both plots.
[[nodiscard]] ImU32 formulaColour(const Theme& theme, int points);

/// The sine, its samples, and the interpolating curves. Both plots are true to scale: a slope of 1 rises by 45°.
void drawSampledSine(const figures::SineSamples& samples, const Theme& theme, float height);
/// The cosine, and the derivatives that the kernels computed from the samples.
void drawSampledSlopes(const figures::SineSamples& samples, const Theme& theme, float height);

}  // namespace haloscope::ui
