#include "figures/ConstantStep.h"

#include <algorithm>

namespace haloscope::figures {

bool readsConstant(const recording::AccessGroup& access, std::uint32_t warp) {
  return access.warp == warp && access.space == MemorySpace::Constant && !access.store;
}

std::optional<std::size_t> nearestConstantStep(const recording::Recording& recording, std::uint32_t warp,
                                               std::size_t step) {
  const std::size_t count = recording.steps.size();
  const auto reads = [&](std::size_t at) {
    return std::ranges::any_of(recording.accessesOf(at),
                               [&](const recording::AccessGroup& access) { return readsConstant(access, warp); });
  };
  for (std::size_t away = 0; away < count; ++away) {
    if (step + away < count && reads(step + away)) { return step + away; }
    if (away > 0 && away <= step && step - away < count && reads(step - away)) { return step - away; }
    if (step + away >= count && away > step) { break; }
  }
  return std::nullopt;
}

}  // namespace haloscope::figures
