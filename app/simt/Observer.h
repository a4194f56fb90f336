#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::simt {

class Warp;

/// Where a notification comes from: the warp that runs, seen read-only.
struct WarpContext {
  Dim3 block;                 ///< blockIdx
  std::uint64_t blockLinear;  ///< index of the block in the grid, x fastest
  std::uint32_t warp;         ///< index of the warp in its block
  std::uint32_t interval;     ///< barrier interval: barriers the block has passed so far
  LaneMask active;            ///< lanes that execute this: before what an If, LoopTest, Break, Continue or Return takes
                              ///< away, after what an Else, LoopNext or the end of a construct brings back
  LaneMask exited;            ///< lanes that left the kernel
  const Warp* state;          ///< registers, for observers that read values
};

/// One warp's access to memory: up to 32 lanes, one instruction. Told after it happened. An atomic is told once, as a
/// store, with what it left; lanes of one that address the same element were served in the order of the lanes.
struct MemoryAccess {
  std::uint32_t instruction;  ///< index into Program::code
  ObjectId object;            ///< of the lanes in `lanes`; lanes that address another object come in a second call
  MemorySpace space;
  ValueType element;
  bool store;
  LaneMask lanes;                              ///< lanes of this access, all inside the object's bounds
  std::array<std::int64_t, kWarpSize> index;   ///< element index per lane; meaningful where `lanes` has a bit
  std::array<std::uint64_t, kWarpSize> value;  ///< bits read or written, as many as the element has; zero above
};

/// Lanes that addressed memory outside their object, or between two of its elements. Their access is not carried out: a
/// load yields 0.
struct OutOfBounds {
  std::uint32_t instruction;
  ObjectId object;  ///< kNone when the pointer names no object at all
  bool store;
  LaneMask lanes;
  std::array<std::int64_t, kWarpSize> index;
};

/// One question about an execution. The executor only executes and notifies; what is counted, checked or recorded is
/// an observer's business. All hooks default to nothing.
///
/// Blocks run in parallel. Each worker thread talks to its own fork(); after the launch, join() gathers them, in the
/// order of the workers, on the calling thread. Which worker runs which block is left to chance: what is joined must
/// not depend on it. Hooks that Wants does not name are called for every observer.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
  virtual ~Observer() = default;

  /// What this observer wants to hear, so that nobody pays for hooks that nobody implements.
  struct Wants {
    bool statements = false;
    bool instructions = false;
    bool accesses = false;
  };
  [[nodiscard]] virtual Wants wants() const = 0;
  /// Of an observer that wants accesses: whether it wants to hear of those of this instruction of Program::code. Asked
  /// before the launch. An access that nobody listens to runs at full speed.
  [[nodiscard]] virtual bool listensTo(std::uint32_t /*instruction*/) const { return true; }
  /// Of an observer that wants instructions: whether it wants to hear of this one of Program::code. Asked before the
  /// launch.
  [[nodiscard]] virtual bool follows(std::uint32_t /*instruction*/) const { return true; }

  [[nodiscard]] virtual std::unique_ptr<Observer> fork() const = 0;
  virtual void join(Observer& worker) = 0;

  virtual void blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) {}
  virtual void blockEnds(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) {}
  /// A warp is about to execute a statement with a non-empty mask.
  virtual void statement(const WarpContext&, StatementId) {}
  /// A warp has executed an instruction (after its effect), with a non-empty mask.
  virtual void instruction(const WarpContext&, std::uint32_t /*instruction*/) {}
  virtual void access(const WarpContext&, const MemoryAccess&) {}
  virtual void outOfBounds(const WarpContext&, const OutOfBounds&) {}
  /// A warp arrives at a barrier; `active` lacks lanes of `expected` when the barrier stands in divergent code.
  virtual void barrierReached(const WarpContext&, std::uint32_t /*instruction*/, LaneMask /*expected*/) {}
  /// The active lanes of a warp leave the kernel: at a Return outside any call, or at the End.
  virtual void threadsLeave(const WarpContext&, std::uint32_t /*instruction*/) {}
  /// Active lanes of a warp pass a __syncwarp: those whose mask names themselves meet the others that it names.
  virtual void warpBarrierPassed(const WarpContext&, std::span<const LaneMask, kWarpSize> /*masks*/) {}
  /// All warps of the block have arrived and go on; the interval that begins is the given one.
  virtual void barrierReleased(const Dim3& /*block*/, std::uint32_t /*interval*/) {}
  /// A lockstep turn (Schedule::Statement only): all warps in the turn executed this statement. Where the turn ends at
  /// a barrier that opens, this comes first and barrierReleased after it. A statement that a barrier interrupted, in a
  /// function that it calls, ends with one more turnEnds for what ran after the barrier.
  virtual void turnEnds(const Dim3& /*block*/, StatementId) {}
};

}  // namespace haloscope::simt
