#include "faults/HappensBefore.h"

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

void ReleaseOrder::Times::join(const Times& other) {
  block = std::max(block, other.block);
  device = std::max(device, other.device);
}

void ReleaseOrder::Knowledge::join(const Knowledge& other) {
  fenced.join(other.fenced);
  acquired.join(other.acquired);
  atomicAt = std::max(atomicAt, other.atomicAt);
}

void ReleaseOrder::beginBlock(std::uint64_t block) {
  block_ = block;
  std::ranges::fill(warps_, Knowledge{});
  releasedInBlock_.clear();
}

void ReleaseOrder::barrier() {
  Knowledge all;
  for (const Knowledge& warp : warps_) { all.join(warp); }
  std::ranges::fill(warps_, all);
}

void ReleaseOrder::fence(std::uint32_t warp, FenceScope scope) {
  Times& fenced = warps_[warp].fenced;
  fenced.block = grid_->now;
  if (scope == FenceScope::Device) { fenced.device = grid_->now; }
}

ReleaseOrder::Release& ReleaseOrder::wordAt(ObjectId object, std::int64_t element, MemorySpace space) {
  return (space == MemorySpace::Shared ? releasedInBlock_ : grid_->released)[{object, element}];
}

void ReleaseOrder::ask(std::uint32_t warp, ObjectId object, std::int64_t element, MemorySpace space) {
  Knowledge& knows = warps_[warp];
  const Release& word = wordAt(object, element, space);
  knows.acquired.device = std::max(knows.acquired.device, word.times.device);
  if (word.block == block_) { knows.acquired.block = std::max(knows.acquired.block, word.times.block); }
  knows.atomicAt = grid_->now;
}

void ReleaseOrder::tell(std::uint32_t warp, ObjectId object, std::int64_t element, MemorySpace space) {
  Knowledge& knows = warps_[warp];
  Release& word = wordAt(object, element, space);
  word.times.device = std::max(word.times.device, knows.fenced.device);
  word.times.block = std::max(word.block == block_ ? word.times.block : 0, knows.fenced.block);
  word.block = block_;
  knows.atomicAt = grid_->now;
}

bool ReleaseOrder::isOver(std::uint32_t warp, std::uint64_t time, bool sameBlock, bool atomic) const {
  const Knowledge& knows = warps_[warp];
  if (time <= std::max(grid_->over, knows.acquired.device)) { return true; }
  return (sameBlock && time <= knows.acquired.block) || (atomic && time <= knows.atomicAt);
}

}  // namespace haloscope::faults
