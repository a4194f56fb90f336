#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Observer.h"

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

/// What __syncwarp() orders among the lanes of a warp, within a barrier interval: a clock for each lane, of which every
/// other lane knows the time at which they last met, directly or by way of others (vector clocks, Lamport 1978, Mattern
/// 1989). Without a warp barrier the lanes of a warp are ordered by nothing, since Volta.
class LaneClocks {
 public:
  explicit LaneClocks(std::uint32_t warps) : warps_(warps) { restart(); }

  /// Whether a program orders the lanes of its warps at all.
  [[nodiscard]] static bool matters(const Program& program);

  /// All threads of the block have met: nothing before this matters any more.
  void restart();
  /// Lanes of one warp meet at a warp barrier: those that name the same mask, and are in it.
  void meet(std::uint32_t warp, LaneMask active, std::span<const LaneMask, kWarpSize> masks);

  /// The lane's own time: of what it does now.
  [[nodiscard]] std::uint32_t now(std::uint32_t warp, int lane) const { return known(warp, lane, lane); }
  /// Whether what a lane did at this time is over for another lane of its warp.
  [[nodiscard]] bool isPast(std::uint32_t warp, int of, std::uint32_t time, int lane) const {
    return time <= known(warp, lane, of);
  }

 private:
  using Clocks = std::array<std::uint32_t, kWarpSize>;

  [[nodiscard]] std::uint32_t known(std::uint32_t warp, int lane, int of) const {
    return warps_[warp][static_cast<std::size_t>(lane)][static_cast<std::size_t>(of)];
  }

  std::vector<std::array<Clocks, kWarpSize>> warps_;  ///< per lane, what it knows of each lane's clock
};

/// What orders threads besides the barriers of their block: where one passes a fence and then tells something, by an
/// atomic or a volatile flag, all before the fence is over for those who ask the same word later (PTX ISA, "Memory
/// Consistency Model": release and acquire patterns); a barrier of the grid orders everything. Warps and barriers pass
/// on what they know.
///
/// Times are one number for the whole launch, in the order in which the emulator runs it: what was over when another
/// thread passed its fence counts as over, too. So a race can be missed, but none is made up.
class ReleaseOrder {
 public:
  explicit ReleaseOrder(const Launch& launch) : warps_(launch.configuration.warpsPerBlock()) {}
  /// For another block of the launch.
  [[nodiscard]] ReleaseOrder fork() const { return *this; }

  void beginBlock(std::uint64_t block);
  void barrier();
  void gridBarrier() { grid_->over = grid_->now; }
  void fence(std::uint32_t warp, FenceScope scope);
  /// A warp reads a word by an atomic or a volatile load, or writes it by an atomic or a volatile store.
  void ask(std::uint32_t warp, ObjectId object, std::int64_t element, MemorySpace space);
  void tell(std::uint32_t warp, ObjectId object, std::int64_t element, MemorySpace space);

  /// The time of an access.
  [[nodiscard]] std::uint64_t tick() { return ++grid_->now; }
  /// Whether what a thread of this block, or of another one, did at this time is over for a warp. `atomic`: it was an
  /// atomic, which has ended for any thread that performs a later one.
  [[nodiscard]] bool isOver(std::uint32_t warp, std::uint64_t time, bool sameBlock, bool atomic) const;

 private:
  struct Release;
  [[nodiscard]] Release& wordAt(ObjectId object, std::int64_t element, MemorySpace space);

  /// Times by scope: for threads of the block, and for any.
  struct Times {
    std::uint64_t block = 0;
    std::uint64_t device = 0;

    void join(const Times& other);
  };
  struct Release {
    Times times;
    std::uint64_t block = 0;  ///< of Times::block
  };
  struct Knowledge {
    Times fenced;
    Times acquired;
    std::uint64_t atomicAt = 0;

    void join(const Knowledge& other);
  };
  struct Grid {
    std::uint64_t now = 0;
    std::uint64_t over = 0;
    std::map<std::pair<ObjectId, std::int64_t>, Release> released;
  };

  std::shared_ptr<Grid> grid_ = std::make_shared<Grid>();  ///< of all forks, which run on one thread
  std::vector<Knowledge> warps_;
  std::map<std::pair<ObjectId, std::int64_t>, Release> releasedInBlock_;  ///< by atomics on shared memory
  std::uint64_t block_ = 0;
};

}  // namespace haloscope::faults
