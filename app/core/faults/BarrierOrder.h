#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "program/Program.h"

namespace haloscope::faults {

/// What barriers in shared memory order within a block: when a thread has waited for a phase, all is over for it that
/// those did who arrived for it, before they arrived, and what the copies did that the phase waited for. Each warp
/// knows up to which time another one's accesses are over (a vector clock); the times are the caller's.
class BarrierOrder {
 public:
  explicit BarrierOrder(std::uint32_t warps) : warps_(warps), known_(warps, Times(warps)), issued_(warps) {}

  [[nodiscard]] static bool matters(const Program& program) {
    return std::ranges::any_of(program.code, [](const Instruction& one) { return one.op == Opcode::MemoryBarrier; });
  }

  /// Another block begins, or all threads have met at a barrier, before which nothing is compared.
  void restart() {
    std::ranges::fill(known_, Times(warps_));
    released_.clear();
  }
  /// A warp issues copies at this time; when they arrive, they count towards a barrier.
  void issue(std::uint32_t warp, std::uint64_t now) { issued_[warp] = now; }
  void copiesArrive(std::uint32_t warp, std::uint64_t barrier) { releasedAt(barrier)[warp] = issued_[warp]; }
  void arrive(std::uint32_t warp, std::uint64_t barrier, std::uint64_t now) {
    Times& released = releasedAt(barrier);
    join(released, known_[warp]);
    released[warp] = now;
  }
  void pass(std::uint32_t warp, std::uint64_t barrier) { join(known_[warp], releasedAt(barrier)); }

  /// Whether what a warp did at this time is over for another one, or for other lanes of it.
  [[nodiscard]] bool isOver(std::uint32_t warp, std::uint32_t of, std::uint64_t time) const {
    return time <= known_[warp][of];
  }

 private:
  using Times = std::vector<std::uint64_t>;  ///< per warp

  static void join(Times& times, const Times& others) {
    for (std::size_t warp = 0; warp < times.size(); ++warp) { times[warp] = std::max(times[warp], others[warp]); }
  }
  Times& releasedAt(std::uint64_t barrier) { return released_.try_emplace(barrier, warps_).first->second; }

  std::uint32_t warps_;
  std::vector<Times> known_;  ///< per warp
  std::vector<std::uint64_t> issued_;
  std::map<std::uint64_t, Times> released_;  ///< by the barrier's address
};

}  // namespace haloscope::faults
