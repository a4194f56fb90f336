#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/ConcurrentAccesses.h"
#include "faults/Finding.h"
#include "faults/HappensBefore.h"
#include "program/Launch.h"
#include "provenance/Granules.h"
#include "provenance/PagedArray.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Who used an element last, by one place of the text: the last thread, the last other thread, and the last one of
/// another block.
class OrderedUse {
 public:
  struct One {
    std::uint64_t time = 0;  ///< see ReleaseOrder; 0: no thread
    std::uint64_t block = 0;
    std::uint32_t thread = 0;  ///< linear in the block
    std::uint32_t value = 0;   ///< folded, of a store
  };

  void add(const One& one) {
    if (latest_.time != 0 && latest_.block != one.block) { otherBlock_ = latest_; }
    if (latest_.time != 0 && !isSameThread(latest_, one)) { otherThread_ = latest_; }
    latest_ = one;
  }
  /// The last one by a thread of another block.
  [[nodiscard]] const One& byOtherBlock(std::uint64_t block) const {
    return latest_.block != block ? latest_ : otherBlock_;
  }
  /// The last one by another thread of the same block, as far as it is known.
  [[nodiscard]] const One* byOtherThread(const One& than) const {
    const One& last = isSameThread(latest_, than) ? otherThread_ : latest_;
    return last.time != 0 && last.block == than.block ? &last : nullptr;
  }

 private:
  [[nodiscard]] static bool isSameThread(const One& a, const One& b) {
    return a.block == b.block && a.thread == b.thread;
  }

  One latest_;
  One otherThread_;
  One otherBlock_;
};

/// Elements on which the two instructions of a finding raced in one barrier interval of a block; of a global array,
/// anywhere in the launch.
struct RacingElements {
  static constexpr std::uint32_t kAnyInterval = kNone;

  std::uint64_t block = 0;         ///< linear
  std::uint32_t interval = 0;      ///< kAnyInterval: of a global array
  std::int64_t first = 0;          ///< granule of the first bit
  std::vector<std::uint64_t> set;  ///< one bit per granule, see Granules

  [[nodiscard]] bool holds(std::int64_t granule) const {
    const auto at = static_cast<std::size_t>(granule - first);
    return at / 64 < set.size() && ((set[at / 64] >> (at % 64)) & 1) != 0;
  }
};

/// A finding, and what is needed to follow what the race spoils.
struct Race {
  Finding finding;
  std::uint32_t writer = 0;  ///< the first instruction of its place, an index into Program::code
  std::uint32_t other = 0;   ///< of the place that reads, or also writes
  /// All instructions whose value the race leaves open: those that read, or, where both places write, those of both.
  std::vector<std::uint32_t> open;
  std::vector<RacingElements> elements;
};

/// Data races. In shared memory: two threads of a block touch one element within one barrier interval and one of them
/// writes. In global memory: the same, and between threads of different blocks at any time, because blocks are not
/// ordered, except by fences with atomics or flags and by barriers of the grid (see ReleaseOrder). Atomics do not race
/// with each other, nor do accesses to volatile flags; writes of one value to one element, by any threads, are not a
/// fault. Nor does it matter that lanes of a warp happen to run together: without a barrier, nothing says that they do.
/// A
/// __syncwarp() orders the lanes that meet there.
///
/// What is found does not depend on the order of warps, blocks or workers: of the threads that execute an instruction
/// on an element within an interval (of the blocks, within the launch) the lowest and the highest are kept.
class Races final : public simt::Observer {
 public:
  /// Watches all shared arrays, and those global arrays that `globals` names; of a global array `count` granules from
  /// the given one on, because its shadow weighs tens of bytes for each granule and instruction.
  struct Window {
    ObjectId object = kNone;
    std::int64_t first = 0;
    std::int64_t count = 0;
  };
  Races(const Program& program, const Launch& launch, bool shared, std::vector<Window> globals);
  /// Watches everything.
  Races(const Program& program, const Launch& launch);

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void blockEnds(const Dim3& block, std::uint64_t blockLinear) override;
  void barrierReleased(const Dim3& block, std::uint32_t interval) override;
  void warpBarrierPassed(const simt::WarpContext& context, std::span<const LaneMask, kWarpSize> masks) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  /// The store takes place some time between the copy's issue and its arrival.
  void copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t copy) override;
  void copyIssued(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t copy) override;
  void memoryBarrierTold(const simt::WarpContext& context, std::uint64_t barrier, bool copies) override;
  void memoryBarrierPassed(const simt::WarpContext& context, std::uint64_t barrier) override;
  void fencePassed(const simt::WarpContext& context, FenceScope scope) override;
  void gridReleased(std::uint32_t meeting) override;

  /// One for each pair of places in the text, in the order of the text.
  [[nodiscard]] std::vector<Race> races() const;

 private:
  /// The threads that executed one instruction on one element in the interval with this number.
  struct IntervalUse {
    std::uint32_t epoch = 0;
    std::uint16_t least = 0;
    std::uint16_t most = 0;
    std::uint32_t value = 0;  ///< folded
    bool valuesDiffer = false;
  };
  /// The lanes of the warp that did so last, each with its time: kept of programs that order the lanes of a warp.
  struct LaneUse {
    std::uint32_t epoch = 0;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    std::array<std::uint32_t, kWarpSize> time{};
    std::array<std::uint32_t, kWarpSize> value{};  ///< folded
  };
  /// The blocks that did so in the launch.
  struct GridUse {
    std::uint64_t least = 0;  ///< threads counted through the grid, from 1; 0: none yet
    std::uint64_t most = 0;
    std::uint32_t value = 0;
    bool valuesDiffer = false;
  };
  using PairId = std::pair<std::uint32_t, std::uint32_t>;  ///< two slots, the lower one first
  /// What is known of one pair of slots.
  struct Pair {
    std::uint64_t occurrences = 0;
    // The first within a block: the lowest block, then interval, then element.
    std::uint64_t block = 0;
    std::uint32_t interval = 0;
    std::int64_t index = 0;
    std::uint32_t threadA = 0;
    std::uint32_t threadB = 0;
    std::vector<std::uint64_t> marks;  ///< elements: of a shared array of this interval, of a global one of the launch
  };
  /// Of a program that orders blocks, what is known of one pair of slots between blocks.
  struct GridPair {
    std::uint64_t occurrences = 0;
    std::int64_t index = 0;  ///< the first in the order of execution
    OrderedUse::One a, b;    ///< there, by the lower slot and the other one
    std::vector<std::uint64_t> marks;
  };
  using SlotUses = std::vector<provenance::PagedArray<OrderedUse>>;  ///< per slot
  /// ... of the global arrays: one for all forks.
  struct GridUses {
    std::vector<SlotUses> uses;                     ///< per object
    std::vector<std::map<PairId, GridPair>> pairs;  ///< per object
  };
  struct Watched {
    bool on = false;
    bool global = false;
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::vector<provenance::PagedArray<IntervalUse>> uses;  ///< per slot
    provenance::PagedArray<IntervalUse> anyUse{0};  ///< by any slot, its threads only; kept where there are many slots
    std::vector<provenance::PagedArray<LaneUse>> laneUses;  ///< per slot
    std::vector<std::uint32_t> lastUsed;                    ///< per slot: the epoch in which it was last seen
    std::vector<provenance::PagedArray<GridUse>> gridUses;  ///< per slot, of a global array
    std::map<PairId, Pair> pairs;                           ///< those that race within a block
    SlotUses orderedUses;  ///< where the program orders threads by fences (of a shared array) or memory barriers
  };
  void watch(ObjectId object, std::int64_t first, std::int64_t count);
  void touch(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index,
             std::uint32_t thread, std::uint32_t value);
  void touchLane(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index, int lane,
                 std::uint32_t value);
  [[nodiscard]] SlotUses& orderedUses(ObjectId object);
  [[nodiscard]] bool keepsOrder() const { return order_ || barriers_; }
  [[nodiscard]] std::uint64_t tick() { return order_ ? order_->tick() : ++now_; }
  /// Where the program orders blocks, or threads by memory barriers: whether the last use by another thread of the
  /// block, by this slot, is over.
  [[nodiscard]] bool isOver(const simt::WarpContext& context, ObjectId object, std::uint32_t partner,
                            std::int64_t index, std::uint32_t thread);
  void touchOrdered(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index,
                    const OrderedUse::One& one);
  void addOrderedPair(Race& race, ObjectId object, std::uint32_t a, std::uint32_t b, bool swapped) const;
  void touchGrid(const simt::WarpContext& context, GridUse& use, std::uint32_t thread, std::uint32_t value) const;
  void note(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::uint32_t partner,
            std::int64_t index, std::uint32_t thread, std::uint32_t otherThread);
  void endInterval();
  [[nodiscard]] bool writes(ObjectId object, std::uint32_t slot) const;
  [[nodiscard]] bool isAtomic(ObjectId object, std::uint32_t slot) const;
  template <class Use>
  [[nodiscard]] bool valuesMatter(ObjectId object, std::uint32_t a, std::uint32_t b, const Use& useA,
                                  const Use& useB) const;
  /// Whether the threads that use this element in this interval, by whatever slot, are all this one or in order with
  /// it: then nothing raced on it. Says no where that is not kept.
  bool isAlone(Watched& watched, std::size_t at, std::uint32_t thread) const;
  /// Whether two threads have nothing between them but the barriers of their block.
  [[nodiscard]] bool areApart(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool betweenThreads(ObjectId object, std::uint32_t a, std::uint32_t b, const IntervalUse& useA,
                                    const IntervalUse& useB) const;
  [[nodiscard]] bool betweenBlocks(ObjectId object, std::uint32_t a, std::uint32_t b, const GridUse& useA,
                                   const GridUse& useB) const;
  [[nodiscard]] Race raceOf(ObjectId object, std::uint32_t a, std::uint32_t b) const;
  /// Fills in what Race::open says, for a place that writes and another.
  void listOpen(Race& race, ObjectId object, std::uint32_t writer, std::uint32_t other) const;
  /// Counts and marks the elements on which blocks race; returns the first of them, -1 if there is none.
  std::int64_t addBetweenBlocks(Race& race, ObjectId object, std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] ThreadPlace placeOf(std::uint64_t block, std::uint64_t thread) const;
  void describe(Race& race, bool betweenBlocks) const;

  const Program& program_;
  const Launch& launch_;
  bool shared_;
  std::vector<Window> globals_;
  std::shared_ptr<const analysis::ConcurrentAccesses> concurrent_;
  provenance::Granules granules_;
  std::vector<Watched> watched_;          ///< per object
  std::optional<LaneClocks> clocks_;      ///< of programs that order the lanes of a warp
  std::optional<ReleaseOrder> order_;     ///< of programs that order blocks
  std::optional<BarrierOrder> barriers_;  ///< of programs with barriers in shared memory
  std::uint64_t now_ = 0;                 ///< the time, where no ReleaseOrder has it
  std::shared_ptr<GridUses> gridUses_;
  std::uint32_t epoch_ = 1;
  std::uint64_t block_ = 0;
  std::uint32_t interval_ = 0;
  bool marked_ = false;  ///< a shared array was raced on in this interval
  std::map<std::pair<ObjectId, PairId>, std::vector<RacingElements>> marks_;  ///< of shared arrays, by interval
};

}  // namespace haloscope::faults
