#include "faults/OngoingRaces.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace haloscope::faults {

OngoingRaces::OngoingRaces(const Program& program, const Launch& launch, std::vector<const Race*> races)
    : granules_(program, launch),
      races_(std::move(races)),
      racesAt_(program.code.size()),
      now_(races_.size(), nullptr) {
  for (std::uint32_t number = 0; number < races_.size(); ++number) {
    for (const std::uint32_t at : races_[number]->open) { racesAt_[at].push_back(number); }
  }
}

void OngoingRaces::beginInterval(std::uint64_t blockLinear, std::uint32_t interval) {
  for (std::size_t number = 0; number < races_.size(); ++number) {
    const std::vector<RacingElements>& all = races_[number]->elements;
    now_[number] = nullptr;
    if (!all.empty() && all.front().interval == RacingElements::kAnyInterval) {
      now_[number] = &all.front();
      continue;
    }
    const auto at = std::lower_bound(
        all.begin(), all.end(), std::tuple(blockLinear, interval),
        [](const RacingElements& one, const auto& wanted) { return std::tuple(one.block, one.interval) < wanted; });
    if (at != all.end() && at->block == blockLinear && at->interval == interval) { now_[number] = &*at; }
  }
}

}  // namespace haloscope::faults
