#pragma once

#include <cstddef>
#include <vector>

#include "state/AppState.h"

namespace haloscope {

/// The accesses of the selected thread's warp, in the step before the cursor, to the memory spaces asked
/// for.
[[nodiscard]] std::vector<recording::AccessGroup> accessesOfWarp(const AppState& state, bool (*wanted)(MemorySpace));

/// The one of them that is shown unless the user chooses another: the global access that moves most sectors beyond what
/// it needs; without a global one the shared access with the most passes, else the first. `accesses` is not empty.
[[nodiscard]] std::size_t costliestAccess(const recording::Recording& recording,
                                          const std::vector<recording::AccessGroup>& accesses);

}  // namespace haloscope
