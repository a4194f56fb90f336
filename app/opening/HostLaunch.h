#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Takes grid, block and dynamic shared memory from the host's launch, where its text tells them. Gives whether it
/// does.
[[nodiscard]] bool takeLaunchOfHost(LaunchDraft& draft);

}  // namespace haloscope::opening
