#include "analysis/StagedRace.h"

#include <bit>
#include <map>
#include <utility>
#include <vector>

namespace haloscope::analysis {

using recording::AccessGroup;
using recording::Recording;

namespace {

/// Calls `use(thread, element)` for each lane of an access.
template <typename Use>
void forLanes(const Recording& recording, const AccessGroup& group, Use use) {
  std::uint32_t next = group.first;
  for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
    use(group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes)), recording.elements[next++]);
  }
}

/// Stores to shared memory in a barrier interval, in the order of their steps.
using Stores = std::map<std::pair<ObjectId, std::int64_t>, std::vector<RaceAccess>>;

Stores storesOf(const Recording& recording, const recording::Interval& interval) {
  Stores stores;
  for (std::uint32_t step = interval.firstStep; step < interval.endStep; ++step) {
    for (const AccessGroup& group : recording.accessesOf(step)) {
      if (!group.store || group.space != MemorySpace::Shared) { continue; }
      forLanes(recording, group, [&](std::uint32_t thread, std::int64_t element) {
        stores[{group.object, element}].push_back({thread, step, group.instruction, true});
      });
    }
  }
  return stores;
}

/// The store that a load of another warp races with.
const RaceAccess* racesWith(const std::vector<RaceAccess>& stores, const RaceAccess& load) {
  const RaceAccess* before = nullptr;
  for (const RaceAccess& store : stores) {
    if (store.thread / kWarpSize == load.thread / kWarpSize || store.step == load.step) { continue; }
    if (store.step > load.step) { return before != nullptr ? before : &store; }
    before = &store;
  }
  return before;
}

}  // namespace

std::optional<StagedRace> firstRacyLoad(const Recording& recording, const std::set<std::uint32_t>& readers) {
  for (const recording::Interval& interval : recording.intervals) {
    const Stores stores = storesOf(recording, interval);
    if (stores.empty()) { continue; }
    for (std::uint32_t step = interval.firstStep; step < interval.endStep; ++step) {
      std::optional<StagedRace> found;
      for (const AccessGroup& group : recording.accessesOf(step)) {
        if (group.store || group.space != MemorySpace::Shared || found) { continue; }
        forLanes(recording, group, [&](std::uint32_t thread, std::int64_t element) {
          if (found || !readers.contains(thread)) { return; }
          const auto stored = stores.find({group.object, element});
          const RaceAccess load{thread, step, group.instruction, false};
          const RaceAccess* store = stored == stores.end() ? nullptr : racesWith(stored->second, load);
          if (store == nullptr) { return; }
          const bool late = store->step > step;
          found = StagedRace{group.object, element, late ? load : *store, late ? *store : load};
        });
      }
      if (found) { return found; }
    }
  }
  return std::nullopt;
}

std::optional<RaceAccess> accessOf(const Recording& recording, std::size_t step, std::uint32_t thread, ObjectId object,
                                   std::int64_t element) {
  std::optional<RaceAccess> found;
  for (const AccessGroup& group : recording.accessesOf(step)) {
    if (group.object != object || group.warp != thread / kWarpSize) { continue; }
    forLanes(recording, group, [&](std::uint32_t of, std::int64_t at) {
      if (of == thread && at == element && (!found || group.store)) {
        found = RaceAccess{thread, static_cast<std::uint32_t>(step), group.instruction, group.store};
      }
    });
  }
  return found;
}

}  // namespace haloscope::analysis
