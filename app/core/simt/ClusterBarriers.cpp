#include <algorithm>

#include <fmt/format.h>

#include "language/Text.h"
#include "simt/BlockRunner.h"

// A block among the blocks of its cluster: the barrier of the cluster, and the memory of the others.

namespace haloscope::simt {

void BlockRunner::meetCluster(std::span<BlockRunner* const> cluster, std::uint32_t rank) {
  cluster_.assign(cluster.begin(), cluster.end());
  rank_ = context_.rank = rank;
  std::vector<const BlockMemory*> memories;
  for (const BlockRunner* one : cluster) { memories.push_back(&one->memory_); }
  memory_.meetCluster(memories);
}

std::uint32_t BlockRunner::takeRank(ObjectId& object) const {
  const auto objects = static_cast<ObjectId>(decoded_.program->objects.size());
  if (object < objects) { return kNone; }
  const std::uint32_t rank = object / objects - 1;
  object %= objects;
  return rank == rank_ ? kNone : rank;
}

bool BlockRunner::passesClusterBarrier(RunningWarp& warp, const Instruction& barrier) {
  const BarrierKind kind = barrierKind(barrier);
  if (kind != BarrierKind::ClusterArrive && kind != BarrierKind::ClusterWait) { return false; }
  const bool arrives = kind == BarrierKind::ClusterArrive;
  const bool pending = warp.arrived != warp.passed;
  if (arrives == pending) {
    const std::string where = fmt::format("{}:{}", barrier.range.line, barrier.range.column);
    failure_ = {Outcome::ClusterBarrier,
                arrives ? trf("warp {} of {} arrives at the barrier of the cluster at {} before it has waited "
                              "for its last arrival: each barrier_arrive() needs a barrier_wait()",
                              warp.index(), describeBlock(), where)
                        : trf("warp {} of {} waits at the barrier of the cluster at {} without having arrived: "
                              "call barrier_arrive() before",
                              warp.index(), describeBlock(), where),
                barrier.range};
    return false;
  }
  if (arrives) {
    ++warp.arrived;
    return true;
  }
  warp.atCluster = true;
  waitsAt_ = barrier.range;
  return false;
}

bool BlockRunner::arrivedAtCluster(std::uint32_t meeting) const {
  return std::ranges::all_of(warps_, [=](const RunningWarp& warp) { return warp.finished || warp.arrived >= meeting; });
}

void BlockRunner::openCluster(std::uint32_t meeting) {
  bool all = true;
  bool any = false;
  for (RunningWarp& warp : warps_) {
    const bool opens = warp.atCluster && warp.arrived == meeting;
    all &= opens || warp.finished;
    any |= opens;
    if (!opens) { continue; }
    warp.passed = meeting;
    warp.atCluster = warp.waiting = false;
  }
  if (!any) { return; }
  begins_ = true;
  if (!all) { return; }  // what the others do goes on in this interval
  ++interval_;
  for (Observer* observer : notifier_.all()) { observer->barrierReleased(block_, interval_); }
}

}  // namespace haloscope::simt
