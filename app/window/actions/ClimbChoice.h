#pragma once

#include <cstdint>
#include <vector>

#include "catalogue/Climb.h"
#include "state/AppState.h"

/// Which climb belongs to a kernel.
namespace haloscope {

/// The climb of the chosen variant, or of the own kernel that is on screen: one whose rungs compute from the same
/// points, in one step or in several, else from points that are alike. Null where there is none.
[[nodiscard]] const Climb* climbOf(const std::vector<Climb>& all, const AppState& state);
/// ... of this file.
[[nodiscard]] const Climb* climbOf(const std::vector<Climb>& all, const AppState& state, const KernelFile& file);
/// How many time steps of a climb an own kernel computes in a launch, by its points; 1 where that is not known.
[[nodiscard]] std::int64_t stepsOf(const Climb& climb, const figures::RungCosts& own);

}  // namespace haloscope
