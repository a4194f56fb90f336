#pragma once

#include <vector>

#include "state/AppState.h"

namespace haloscope {

/// The accesses of the selected thread's warp, in the step that the cursor stands after, to the memory spaces asked
/// for.
[[nodiscard]] std::vector<recording::AccessGroup> accessesOfWarp(const AppState& state, bool (*wanted)(MemorySpace));

}  // namespace haloscope
