#include "faults/ReleaseOrder.h"

#include <algorithm>

namespace haloscope::faults {

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
