#include "analysis/ThreadWork.h"

#include <algorithm>
#include <bit>

namespace haloscope::analysis {

void WorkTally::add(const WorkTally& other) {
  threads += other.threads;
  working += other.working;
  helping += other.helping;
  idle += other.idle;
  warps += other.warps;
  fullWarps += other.fullWarps;
  partialWarps += other.partialWarps;
  helpingWarps += other.helpingWarps;
  idleWarps += other.idleWarps;
}

ThreadWork::ThreadWork(const Dim3& blockExtent)
    : threads_(static_cast<std::uint32_t>(blockExtent.count())), warps_((threads_ + kWarpSize - 1) / kWarpSize) {}

std::unique_ptr<simt::Observer> ThreadWork::fork() const {
  auto fork = std::make_unique<ThreadWork>(*this);
  fork->total_ = {};
  fork->blocks_.clear();
  return fork;
}

void ThreadWork::join(Observer& worker) {
  const auto& other = static_cast<ThreadWork&>(worker);
  total_.add(other.total_);
  blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
}

void ThreadWork::blockBegins(const Dim3&, std::uint64_t) { std::ranges::fill(warps_, WarpLanes{}); }

void ThreadWork::blockEnds(const Dim3&, std::uint64_t blockLinear) {
  BlockWork work;
  work.block = blockLinear;
  for (const WarpLanes& warp : warps_) {
    const auto working = static_cast<std::uint32_t>(std::popcount(warp.stored));
    work.working += working;
    work.helping += static_cast<std::uint32_t>(std::popcount(warp.touched & ~warp.stored));
    if (working == kWarpSize) {
      ++total_.fullWarps;
    } else if (working > 0) {
      ++total_.partialWarps;
    } else if (warp.touched != 0) {
      ++total_.helpingWarps;
    } else {
      ++total_.idleWarps;
    }
  }
  work.idle = threads_ - work.working - work.helping;
  total_.threads += threads_;
  total_.working += work.working;
  total_.helping += work.helping;
  total_.idle += work.idle;
  total_.warps += warps_.size();
  blocks_.push_back(work);
}

void ThreadWork::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  if (access.space == MemorySpace::Local) { return; }
  WarpLanes& warp = warps_[context.warp];
  warp.touched |= access.lanes;
  if (access.store && access.space == MemorySpace::Global) { warp.stored |= access.lanes; }
}

std::vector<BlockWork> ThreadWork::blocks() const {
  std::vector<BlockWork> sorted = blocks_;
  std::ranges::sort(sorted, {}, &BlockWork::block);
  return sorted;
}

}  // namespace haloscope::analysis
