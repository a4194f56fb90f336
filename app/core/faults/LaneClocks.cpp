#include "faults/LaneClocks.h"

#include <algorithm>
#include <bit>

namespace haloscope::faults {

bool LaneClocks::matters(const Program& program) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [](const Instruction& code) { return code.op == Opcode::WarpBarrier; });
}

void LaneClocks::restart() {
  for (auto& lanes : warps_) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      lanes[lane].fill(0);
      lanes[lane][lane] = 1;
    }
  }
}

void LaneClocks::meet(std::uint32_t warp, LaneMask active, std::span<const LaneMask, kWarpSize> masks) {
  std::array<Clocks, kWarpSize>& lanes = warps_[warp];
  for (LaneMask rest = active; rest != 0;) {
    const LaneMask mask = masks[static_cast<std::size_t>(std::countr_zero(rest))];
    LaneMask group = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const int lane = std::countr_zero(others);
      if (masks[static_cast<std::size_t>(lane)] == mask) { group |= LaneMask{1} << lane; }
    }
    rest &= ~group;
    Clocks latest{};
    for (LaneMask members = group & mask; members != 0; members &= members - 1) {
      const Clocks& clocks = lanes[static_cast<std::size_t>(std::countr_zero(members))];
      for (std::size_t of = 0; of < latest.size(); ++of) { latest[of] = std::max(latest[of], clocks[of]); }
    }
    for (LaneMask members = group & mask; members != 0; members &= members - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(members));
      lanes[lane] = latest;
      ++lanes[lane][lane];
    }
  }
}

}  // namespace haloscope::faults
