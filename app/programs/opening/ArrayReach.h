#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Makes each array of unknown size as large as the drafted launch needs, and says so: the size that a kernel needs is
/// its contract, not its mistake. These arrays are listed in KernelFile::assumedArrays. Does nothing if the program's
/// own launch is known.
void meetReach(LaunchDraft& draft);

}  // namespace haloscope::opening
