#include "actions/WarpAccesses.h"

#include <algorithm>
#include <tuple>

#include "analysis/RecordedRequest.h"

namespace haloscope {

std::vector<recording::AccessGroup> accessesOfWarp(const AppState& state, bool (*wanted)(MemorySpace)) {
  std::vector<recording::AccessGroup> accesses;
  if (state.cursor.empty() || state.cursor.atStart()) { return accesses; }
  const recording::Recording& recording = state.cursor.recording();
  for (const recording::AccessGroup& access : recording.accessesOf(state.cursor.position() - 1)) {
    const bool ofWarp = access.warp == state.selection.thread / kWarpSize && wanted(access.space);
    if (ofWarp && analysis::beginsRequest(recording, access)) { accesses.push_back(access); }
  }
  return accesses;
}

std::size_t costliestAccess(const recording::Recording& recording,
                            const std::vector<recording::AccessGroup>& accesses) {
  const auto cost = [&](const recording::AccessGroup& access) {
    const analysis::RecordedRequest request = analysis::requestOf(recording, access);
    const bool global = access.space == MemorySpace::Global, shared = access.space == MemorySpace::Shared;
    const auto most = global ? request.shape.sectors - request.shape.idealSectors : shared ? request.shape.passes : 0;
    return std::tuple(global, shared, static_cast<std::int64_t>(most), global ? request.shape.sectors : 0);
  };
  return static_cast<std::size_t>(std::ranges::max_element(accesses, {}, cost) - accesses.begin());
}

}  // namespace haloscope
