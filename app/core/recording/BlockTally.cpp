#include "recording/BlockTally.h"

#include <bit>

namespace haloscope::recording {

BlockTally::BlockTally(const Recording& recording) {
  loads_.reserve(recording.steps.size() + 1);
  active_.reserve(recording.steps.size() + 1);
  loads_.push_back(0);
  active_.push_back(0);
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    std::uint64_t loads = loads_.back();
    for (const AccessGroup& group : recording.accessesOf(step)) {
      const bool counts = group.space == MemorySpace::Global && !group.store;
      loads += counts ? static_cast<std::uint64_t>(std::popcount(group.lanes)) : 0;
    }
    std::uint64_t active = 0;
    for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
      active += static_cast<std::uint64_t>(std::popcount(recording.warpState(step, warp).active));
    }
    loads_.push_back(loads);
    active_.push_back(active);
  }
}

}  // namespace haloscope::recording
