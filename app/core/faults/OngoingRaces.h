#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "faults/Races.h"
#include "provenance/Granules.h"

namespace haloscope::faults {

/// Known races in a second run of their launch: which of them an access is part of, as the one whose value they leave
/// open. That is the load of a pair that reads, and both stores of a pair that writes.
class OngoingRaces {
 public:
  /// The races must outlive this.
  OngoingRaces(const Program& program, const Launch& launch, std::vector<const Race*> races);

  void beginInterval(std::uint64_t blockLinear, std::uint32_t interval);

  /// Calls `found(lane, race)` for each lane and each race, by its place in the list, that leaves its value open.
  template <class Found>
  void each(const simt::MemoryAccess& access, const Found& found) const {
    const std::int64_t perLane = granules_.perLane(access);
    for (const std::uint32_t race : racesAt_[access.instruction]) {
      const RacingElements* const elements = now_[race];
      if (elements == nullptr || races_[race]->finding.object != access.object) { continue; }
      for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane;
        bool held = false;
        for (std::int64_t granule = first; granule < first + perLane; ++granule) { held |= elements->holds(granule); }
        if (held) { found(lane, race); }
      }
    }
  }

 private:
  provenance::Granules granules_;
  std::vector<const Race*> races_;
  std::vector<std::vector<std::uint32_t>> racesAt_;  ///< per instruction
  std::vector<const RacingElements*> now_;           ///< per race: its elements in the interval that runs
};

}  // namespace haloscope::faults
