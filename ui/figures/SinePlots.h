#pragma once

#include "figures/SineSamples.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The colour of a formula by so many points, in both its plots.
[[nodiscard]] ImU32 formulaColour(const Theme& theme, int points);

/// The sine, its samples, and the curves between these.
void drawSampledSine(const figures::SineSamples& samples, const Theme& theme, float height);
/// The cosine, and the derivatives that the kernels executed from the samples.
void drawSampledSlopes(const figures::SineSamples& samples, const Theme& theme, float height);

}  // namespace haloscope::ui
