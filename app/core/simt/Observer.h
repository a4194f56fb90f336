#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::simt {

class Warp;

/// Where a warp is among the barriers of its cluster, and its block among the cluster's blocks.
struct ClusterTime {
  std::uint32_t rank = 0;     ///< of the block
  std::uint32_t arrived = 0;  ///< how often the warp has arrived at the barrier of the cluster
  std::uint32_t passed = 0;   ///< how often it has waited there, and gone on
};

/// The origin of a notification: a read-only view of the executing warp.
struct WarpContext {
  Dim3 block;                 ///< blockIdx
  std::uint64_t blockLinear;  ///< index of the block in the grid, x fastest
  std::uint32_t warp;         ///< index of the warp in its block
  std::uint32_t interval;     ///< barrier interval: barriers the block has passed so far
  LaneMask active;            ///< executing lanes: before an If, LoopTest, Break, Continue or Return removes lanes,
                              ///< after an Else, LoopNext or the end of a construct restores them
  LaneMask exited;            ///< lanes that left the kernel
  const Warp* state;          ///< registers, for observers that read values
  ClusterTime cluster{};
};

/// One warp's access to memory: up to 32 lanes, one instruction. Reported after the fact. An atomic is reported once,
/// as a store of its result; its lanes that address the same element are served in lane order.
struct MemoryAccess {
  std::uint32_t instruction;  ///< index into Program::code
  ObjectId object;            ///< accessed by `lanes`; lanes that access another object are in a second call
  MemorySpace space{};
  ValueType element{};
  bool store;
  LaneMask lanes;                                ///< lanes of this access, all inside the object's bounds
  std::array<std::int64_t, kWarpSize> index{};   ///< element index per lane; meaningful where `lanes` has a bit
  std::array<std::uint64_t, kWarpSize> value{};  ///< bits read or written, zero-extended from the element's size
};

/// Lanes that addressed memory outside their object, or at a misaligned address. Their access is suppressed: a load
/// yields 0.
struct OutOfBounds {
  std::uint32_t instruction;
  ObjectId object;  ///< kNone if the pointer refers to no object
  bool store;
  LaneMask lanes;
  LaneMask misaligned;  ///< those of the lanes whose address is within the object, but between two elements
  LaneMask unmapped;    ///< those where a GPU has no memory at all: see Launch::mapped
  std::array<std::int64_t, kWarpSize> index;
  std::uint32_t rank = kNone;  ///< of the block whose shared memory it is, where that is not the own: it may not exist
  ObjectId named = kNone;      ///< of a pointer that refers to no object: the number of which it is made
};

/// Observes an execution. The executor only executes and notifies; counting, checking and recording is done by
/// observers. All hooks default to doing nothing.
///
/// Blocks run in parallel. Each worker thread notifies its own fork(); after the launch, join() merges them on the
/// calling thread, in the order of the workers. The assignment of blocks to workers is not deterministic: the merged
/// result must not depend on it. Of a program that orders blocks
/// (see ordersBlocks) all forks are notified on one thread; where it synchronises the grid, each block has its own;
/// where it has clusters, each rank.
/// Hooks not covered by Wants are called for every observer.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
  virtual ~Observer() = default;

  /// The notifications that this observer requests, so that unused hooks cost nothing.
  struct Wants {
    bool statements = false;
    bool instructions = false;
    bool accesses = false;
  };
  [[nodiscard]] virtual Wants wants() const = 0;
  /// For observers of accesses: whether accesses by this instruction of Program::code are of interest. Queried before
  /// the launch. Unobserved accesses run at full speed.
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
  /// An access to the shared memory of the block with this rank in the cluster, which is not the warp's own block.
  /// access() does not hear of it.
  virtual void clusterAccess(const WarpContext&, const MemoryAccess&, std::uint32_t /*rank*/) {}
  /// The blocks of a cluster run together, and a fork hears of those with one rank: the forks of all ranks, in their
  /// order, before the first block begins.
  virtual void meetCluster(std::span<Observer* const> /*forks*/) {}
  /// All blocks of the cluster have ended. Told to the fork of rank 0.
  virtual void clusterEnds() {}
  /// A warp issues asynchronous copies to shared memory, a store that it makes later: see Instruction::async. access()
  /// is notified as well, now. `copy` numbers the warp's copies within the block.
  virtual void copyIssued(const WarpContext&, const MemoryAccess&, std::uint32_t /*copy*/) {}
  /// Lanes of a copy have arrived: the store takes place, at the CopyWait that the warp executes or, of copies that
  /// signal a barrier in shared memory, when any thread waits for that barrier; the context is that of the issuer.
  virtual void copyArrived(const WarpContext&, const MemoryAccess&, std::uint32_t /*copy*/) {}
  /// What a barrier in shared memory, at this packed pointer, waited for has happened: lanes of a warp arrive there, or
  /// copies that the warp has issued have arrived.
  virtual void memoryBarrierTold(const WarpContext&, std::uint64_t /*barrier*/, bool /*copies*/) {}
  /// Lanes of a warp pass it: the phase that they asked for is over.
  virtual void memoryBarrierPassed(const WarpContext&, std::uint64_t /*barrier*/) {}
  /// A warp arrives at a barrier; `active` lacks lanes of `expected` if the barrier is in divergent code.
  virtual void barrierReached(const WarpContext&, std::uint32_t /*instruction*/, LaneMask /*expected*/) {}
  /// The active lanes of a warp leave the kernel: at a Return outside any call, or at the End.
  virtual void threadsLeave(const WarpContext&, std::uint32_t /*instruction*/) {}
  /// The active lanes of a warp end the launch: see Opcode::Trap. Nothing of their block runs after it.
  virtual void threadsTrap(const WarpContext&, std::uint32_t /*instruction*/) {}
  /// Active lanes of a warp pass a __syncwarp: lanes included in their own mask synchronise with the others in it.
  virtual void warpBarrierPassed(const WarpContext&, std::span<const LaneMask, kWarpSize> /*masks*/) {}
  /// Active lanes of a warp pass a fence.
  virtual void fencePassed(const WarpContext&, FenceScope) {}
  /// All blocks have arrived at a barrier of the grid, their `meeting`th, from 1. barrierReleased() follows for each.
  virtual void gridReleased(std::uint32_t /*meeting*/) {}
  /// All warps of the block have arrived and continue; `interval` begins.
  virtual void barrierReleased(const Dim3& /*block*/, std::uint32_t /*interval*/) {}
  /// End of a lockstep turn (Schedule::Statement only): all warps in the turn executed this statement. If the turn ends
  /// at a barrier that opens, this is called before barrierReleased. A statement interrupted by a barrier in a called
  /// function ends with another turnEnds for the part after the barrier.
  virtual void turnEnds(const Dim3& /*block*/, StatementId) {}
};

}  // namespace haloscope::simt
