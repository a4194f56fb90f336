#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// For each Store of an asynchronous copy the Load of what it copies. kNone for other instructions, and where a copy
/// stores zeros alone.
[[nodiscard]] std::vector<std::uint32_t> loadsOfCopies(const Program& program);

/// The number of the first of a warp's bulk copies to global memory.
inline constexpr std::uint32_t kBulkStores = 0x80000000U;

/// The asynchronous copies of a warp that have been issued and have not arrived; a Store has the `lanes` that make it.
/// As on a GPU, each lane has batches of its own, which arrive in order; copies that signal a barrier arrive when a
/// phase of that barrier cannot end without them.
template <class Store>
class AsyncCopies {
 public:
  /// Its copies are numbered from `first` on.
  explicit AsyncCopies(std::uint32_t first = 0) : first_(first), issued_(first) {}

  void clear() {
    inFlight_.clear();
    batches_.fill(0);
    issued_ = first_;
  }

  /// What fills the largest shared memory where one lane copies 4 bytes after the other.
  static constexpr std::size_t kMostInFlight = 65536;
  [[nodiscard]] bool isFull() const { return inFlight_.size() == kMostInFlight; }
  [[nodiscard]] bool isEmpty() const { return inFlight_.empty(); }

  /// Adds a copy, not committed; returns its number.
  std::uint32_t issue(const Store& store) {
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
  /// issue: all but the lane's last `remaining` batches.
  template <class Land>
  void wait(LaneMask lanes, const std::uint32_t* remaining, const Land& land) {
    landWhere(lanes, /*ofBarrier=*/false, land, [&](const Copy& copy, std::size_t lane) {
      return copy.batch[lane] + std::min(remaining[lane], kMostRemaining) < batches_[lane];
    });
  }

  /// The same for all.
  template <class Land>
  void arriveAll(const Land& land) {
    for (const Copy& copy : std::exchange(inFlight_, {})) { land(copy.store, copy.number); }
  }

  /// The same for those of the barrier at this address.
  template <class Land>
  void arriveAt(std::uint64_t barrier, const Land& land) {
    landWhere(kAllLanes, /*ofBarrier=*/true, land,
              [&](const Copy& copy, std::size_t lane) { return copy.batch[lane] == barrier; });
  }

 private:
  /// __pipeline_wait_prior() waits for all but 8 where more are to remain.
  static constexpr std::uint32_t kMostRemaining = 8;

  struct Copy {
    Store store;
    std::uint32_t number = 0;
    LaneMask uncommitted = 0;
    LaneMask ofBarrier = 0;                        ///< lanes whose `batch` is the address of a barrier
    std::array<std::uint64_t, kWarpSize> batch{};  ///< of the lanes that are committed
  };

  template <class Land, class Covered>
  void landWhere(LaneMask lanes, bool ofBarrier, const Land& land, const Covered& covered) {
    for (Copy& copy : inFlight_) {
      const LaneMask kind = ofBarrier ? copy.ofBarrier : ~copy.ofBarrier;
      LaneMask arrived = 0;
      for (LaneMask rest = copy.store.lanes & lanes & kind & ~copy.uncommitted; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        arrived |= static_cast<LaneMask>(covered(copy, static_cast<std::size_t>(lane))) << lane;
      }
      if (arrived == 0) { continue; }
      Store store = copy.store;
      store.lanes = arrived;
      copy.store.lanes &= ~arrived;
      land(store, copy.number);
    }
    std::erase_if(inFlight_, [](const Copy& copy) { return copy.store.lanes == 0; });
  }

  std::vector<Copy> inFlight_;
  std::array<std::uint64_t, kWarpSize> batches_{};  ///< how many each lane has committed
  std::uint32_t first_;
  std::uint32_t issued_;
};

}  // namespace haloscope
