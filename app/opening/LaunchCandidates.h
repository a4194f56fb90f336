#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Proposes a launch where none can be read: of those that tiles, tunables and constants suggest, the emulator tries
/// each, and the one that is free of faults, writes most of the output and has the fewest blocks is taken.
void proposeByTrial(LaunchDraft& draft);

/// Whether a kernel goes through one more axis than the `rank` of its threads. One that only leaves its array does not.
[[nodiscard]] bool coversMoreThan(const LaunchDraft& draft, const LaunchTrial& trial, int rank);

}  // namespace haloscope::opening
