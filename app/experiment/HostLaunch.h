#pragma once

#include "experiment/LaunchDraft.h"

namespace haloscope::experiment {

/// Takes grid, block and dynamic shared memory from the host's launch, where its text tells them. Gives whether it
/// does.
[[nodiscard]] bool takeLaunchOfHost(LaunchDraft& draft);

}  // namespace haloscope::experiment
