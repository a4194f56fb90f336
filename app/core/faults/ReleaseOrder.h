#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::faults {

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
