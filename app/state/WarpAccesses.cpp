#include "state/WarpAccesses.h"

namespace haloscope {

std::vector<recording::AccessGroup> accessesOfWarp(const AppState& state, bool (*wanted)(MemorySpace)) {
  std::vector<recording::AccessGroup> accesses;
  if (state.cursor.empty() || state.cursor.atStart()) { return accesses; }
  for (const recording::AccessGroup& access : state.cursor.recording().accessesOf(state.cursor.position() - 1)) {
    if (access.warp == state.selection.thread / kWarpSize && wanted(access.space)) { accesses.push_back(access); }
  }
  return accesses;
}

}  // namespace haloscope
