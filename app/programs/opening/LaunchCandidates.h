#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Proposes a launch if none can be read from the text: the emulator tries those that tiles, tunables and constants
/// suggest. The one that is free of faults, writes most of the output and has the fewest blocks is taken.
void proposeByTrial(LaunchDraft& draft);

/// Shapes the arrays of a launch whose grid and block are known.
void shapeForLaunch(LaunchDraft& draft);

/// Whether a kernel loops over one more axis than the `rank` of its threads. Leaving its array is no such loop.
[[nodiscard]] bool loopsOverAxisBeyond(const LaunchDraft& draft, const LaunchTrial& trial, int rank);

}  // namespace haloscope::opening
