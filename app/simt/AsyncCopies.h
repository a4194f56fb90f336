#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "program/SourceLocation.h"
#include "simt/Observer.h"

namespace haloscope::simt {

/// The asynchronous copies of a warp that have been issued and have not arrived. As on a GPU, each lane has batches of
/// its own, which arrive in order; copies that a barrier is told of arrive when that barrier is waited for.
class AsyncCopies {
 public:
  void clear() {
    inFlight_.clear();
    batches_.fill(0);
    issued_ = 0;
  }

  /// Adds a copy, not committed; returns its number.
  std::uint32_t issue(const MemoryAccess& store) {
    if (inFlight_.size() == kMostInFlight) {
      throw InputError(
          fmt::format("a warp has more than {} asynchronous copies in flight: nothing waits for them", kMostInFlight));
    }
    inFlight_.push_back({.store = store, .number = issued_, .uncommitted = store.lanes});
    return issued_++;
  }

  /// Commits what the lanes have issued: to a new batch each or, if there is one, to the barrier at this address.
  void commit(LaneMask lanes, const std::uint64_t* barriers) {
    for (auto copy = inFlight_.rbegin(); copy != inFlight_.rend(); ++copy) {
      for (LaneMask rest = copy->uncommitted & lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        copy->batch[lane] = barriers != nullptr ? barriers[lane] : batches_[lane];
      }
      copy->ofBarrier |= barriers != nullptr ? copy->uncommitted & lanes : 0;
      copy->uncommitted &= ~lanes;
    }
    for (LaneMask rest = barriers != nullptr ? 0 : lanes; rest != 0; rest &= rest - 1) {
      ++batches_[static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }

  /// Calls `land(store, number)` for each copy that now arrives, with the lanes of which it does, in the order of
  /// issue: all but the lane's last `remaining` batches or, if there is one, those of the barrier at this address.
  template <class Land>
  void wait(LaneMask lanes, const std::uint32_t* remaining, const std::uint64_t* barriers, const Land& land) {
    for (Copy& copy : inFlight_) {
      const LaneMask kind = barriers != nullptr ? copy.ofBarrier : ~copy.ofBarrier;
      LaneMask arrived = 0;
      for (LaneMask rest = copy.store.lanes & lanes & kind & ~copy.uncommitted; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto at = static_cast<std::size_t>(lane);
        const bool covered = barriers != nullptr
                                 ? copy.batch[at] == barriers[lane]
                                 : copy.batch[at] + std::min(remaining[lane], kMostRemaining) < batches_[at];
        arrived |= static_cast<LaneMask>(covered) << lane;
      }
      if (arrived == 0) { continue; }
      MemoryAccess store = copy.store;
      store.lanes = arrived;
      copy.store.lanes &= ~arrived;
      land(store, copy.number);
    }
    std::erase_if(inFlight_, [](const Copy& copy) { return copy.store.lanes == 0; });
  }

 private:
  /// Four times what fills the largest shared memory, where all lanes of the warp copy 4 bytes.
  static constexpr std::size_t kMostInFlight = 8192;
  /// __pipeline_wait_prior() waits for all but 8 where more are to remain.
  static constexpr std::uint32_t kMostRemaining = 8;

  struct Copy {
    MemoryAccess store;
    std::uint32_t number = 0;
    LaneMask uncommitted = 0;
    LaneMask ofBarrier = 0;                        ///< lanes whose `batch` is the address of a barrier
    std::array<std::uint64_t, kWarpSize> batch{};  ///< of the lanes that are committed
  };

  std::vector<Copy> inFlight_;
  std::array<std::uint64_t, kWarpSize> batches_{};  ///< how many each lane has committed
  std::uint32_t issued_ = 0;
};

}  // namespace haloscope::simt
