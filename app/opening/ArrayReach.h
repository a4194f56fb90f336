#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Gives each array of which nobody says how many elements it has those that the drafted launch reaches, and says so:
/// what a kernel reaches is its contract, not its mistake. Such an array becomes one of KernelFile::assumedArrays.
/// Nothing where the program's own launch is known.
void meetReach(LaunchDraft& draft);

}  // namespace haloscope::opening
