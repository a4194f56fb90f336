#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Takes grid, block and dynamic shared memory from the host's launch if its text determines them. Returns whether it
/// does.
[[nodiscard]] bool readHostLaunch(LaunchDraft& draft);

}  // namespace haloscope::opening
