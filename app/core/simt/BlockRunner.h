#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "program/MemoryBarrier.h"
#include "simt/BlockMemory.h"
#include "simt/DecodedProgram.h"
#include "simt/EndlessLoops.h"
#include "simt/Executor.h"
#include "simt/Notifier.h"
#include "simt/RunningWarp.h"

namespace haloscope::simt {

/// Runs blocks one after another on one core: schedules their warps, synchronises these at barriers, and notifies the
/// observers.
class BlockRunner final : private AccessListener {
 public:
  BlockRunner(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory, Notifier& notifier,
              const ExecuteOptions& options);
  BlockRunner(const BlockRunner&) = delete;
  /// Other workers store at the same time: see WriteClaims.
  void claimWrites(WriteClaims& claims, std::uint8_t worker) {
    context_.claims = &claims;
    context_.worker = worker;
  }
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Why a block could not be completed.
  struct Failure {
    Outcome outcome = Outcome::Finished;
    std::string message;
    SourceRange where;
  };
  /// The first out-of-bounds access over all blocks run by this runner; one where a GPU has no memory comes first.
  struct Fault {
    bool mapped = true;
    std::uint64_t order = std::numeric_limits<std::uint64_t>::max();  ///< rank of the block in the launch
    std::string message;
    SourceRange where;
    [[nodiscard]] bool isBefore(const Fault& other) const {
      return mapped == other.mapped ? order < other.order : other.mapped;
    }
  };

  /// Runs the block with this linear index. `order` ranks blocks for the choice of the first fault.
  [[nodiscard]] Failure run(std::uint64_t blockLinear, std::uint64_t order);

  // The same in parts, for blocks that meet at barriers of the grid.

  enum class State : std::uint8_t {
    Ended,      ///< or failed
    AtGrid,     ///< all its warps that are left wait at a barrier of the grid
    AtCluster,  ///< all its warps that are left wait, some of them at the barrier of the cluster
    Spinning    ///< all its warps wait, some of them in loops for what other blocks do
  };
  void begin(std::uint64_t blockLinear, std::uint64_t order);
  /// Runs the block as far as it gets alone.
  [[nodiscard]] State proceed();
  /// Opens the barrier of the grid for this block: the `meeting`th, from 1.
  void openGrid(std::uint32_t meeting);
  /// The runners of the blocks of a cluster, by rank, itself included.
  void meetCluster(std::span<BlockRunner* const> cluster, std::uint32_t rank);
  /// Whether all warps that have not ended have arrived at the barrier of the cluster, the `meeting`th time, from 1.
  [[nodiscard]] bool arrivedAtCluster(std::uint32_t meeting) const;
  /// Opens the barrier of the cluster for this block.
  void openCluster(std::uint32_t meeting);
  /// Why the block could not be completed, once it has ended.
  [[nodiscard]] Failure end();
  [[nodiscard]] bool failed() const { return failure_.outcome != Outcome::Finished; }
  /// The barrier of the grid, or of the cluster, at which the block waits.
  [[nodiscard]] const SourceRange& waitsAt() const { return waitsAt_; }

  [[nodiscard]] std::string describeBlock() const;
  /// Warp instructions executed by the last block.
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] std::uint64_t outOfBoundsCount() const { return outOfBounds_; }
  [[nodiscard]] std::uint64_t unmappedCount() const { return unmapped_; }
  [[nodiscard]] const Fault& firstFault() const { return firstFault_; }
  /// Adds the per-instruction execution counts of this runner's blocks.
  void addTo(Profile& profile) const;

 private:
  enum class Pause : std::uint8_t { Statement, Barrier, Spinning, Finished, Failed };
  struct NodeCount {
    std::uint64_t lanes = 0;
    std::uint64_t warps = 0;
  };

  void accessed(MemoryAccess& access) override;
  void outOfBounds(OutOfBounds& fault) override;
  bool takesCopy(std::uint32_t instruction, ObjectId object) override;
  void copyIssued(MemoryAccess& access) override;

  /// Runs all warps to their next barrier or end; also those that spin, unless other blocks may end that. False if the
  /// block has failed.
  [[nodiscard]] bool runInterval();
  [[nodiscard]] bool runToBarriers();
  [[nodiscard]] bool runTurns();
  [[nodiscard]] bool runTurn(std::uint32_t node);
  [[nodiscard]] bool runTurnsOneByOne();
  [[nodiscard]] bool runTurnOf(RunningWarp& warp);
  /// Advances every warp to its first statement, or to the next one after a barrier.
  [[nodiscard]] bool advanceToStatements();
  /// Sets `sequence_`, the order of the warps in the current barrier interval.
  void arrangeWarps();
  void endTurn();
  /// Opens the barrier at which the unfinished warps wait, if they do. One of the grid opens only when `openGrid`.
  bool release(bool openGrid);
  [[nodiscard]] bool turns() const { return options_.schedule == Schedule::Statement; }

  /// Runs a warp until it finishes, waits at a barrier, or (if `turns`) is at a statement; with `enterStatement` it
  /// first executes the statement that it is at.
  Pause advance(RunningWarp& warp, bool turns, bool enterStatement);
  template <bool kInstructions>
  Pause advanceNotifying(RunningWarp& warp, bool turns, bool enterStatement);
  Pause arrive(RunningWarp& warp, const Node& node);
  /// Whether the warp may go on at once.
  [[nodiscard]] bool passesClusterBarrier(RunningWarp& warp, const Instruction& barrier);
  /// Of an object that other ranks have as well: makes it that of the program. Returns the rank, kNone for the own.
  [[nodiscard]] std::uint32_t takeRank(ObjectId& object) const;
  [[gnu::noinline]] void leaveKernel(RunningWarp& warp, const Node& node);
  /// Whether lanes end the launch here.
  [[gnu::noinline]] bool traps(const RunningWarp& warp, const Node& node);
  [[gnu::noinline]] bool yieldInLoop(RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void passWarpBarrier(const RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void commitCopies(RunningWarp& warp, const Node& node);
  /// Makes the stores of the copies that a CopyWait covers.
  [[gnu::noinline]] void landCopies(RunningWarp& warp, const Node& node);
  /// Makes those of the bulk copies to global memory that nothing has waited for.
  void landBulkStores();
  /// Makes the store of a copy.
  void land(const RunningWarp& issuer, const MemoryAccess& store, std::uint32_t copy);
  /// False if lanes have to wait, or the block has failed.
  [[gnu::noinline]] bool useMemoryBarrier(RunningWarp& warp, const Node& node);
  /// `notify`: the lane is the first of its warp that asks this barrier.
  [[nodiscard]] bool asks(RunningWarp& warp, const Node& node, int lane, std::uint64_t address, MemoryBarrier& barrier,
                          bool notify);
  [[nodiscard]] bool arrives(RunningWarp& warp, const Node& node, int lane, std::uint64_t address,
                             MemoryBarrier& barrier);
  void signalled(const RunningWarp& warp, std::uint64_t address, bool copies);
  /// Ends the phase of a barrier, if all has come that it waits for; copies in flight to it arrive.
  void endPhase(std::uint64_t address, MemoryBarrier& barrier);
  [[nodiscard]] bool isOfBarriers(std::uint64_t address) const;
  [[nodiscard]] std::string nameOf(std::uint64_t address) const;
  bool fail(const Node& node, const std::string& message);
  void reportStuck();
  [[nodiscard]] StatementId statementAt(std::uint32_t node) const;
  [[nodiscard]] bool mayGoRound(RunningWarp& warp);
  [[nodiscard]] bool mayGoBeyondBudget(const RunningWarp& warp);

  [[nodiscard]] LaneMask condition(const RunningWarp& warp, const Node& node) const;
  template <class Lane>
  [[nodiscard]] static Lane* lanesOf(const RunningWarp& warp, Operand operand) {
    std::byte* const at = warp.registers()[operand >> 31] + (operand & ~kSharedOperand);
    return static_cast<Lane*>(static_cast<void*>(at));
  }
  void runSteps(RunningWarp& warp, const Node& node);
  void runStepsNotifying(RunningWarp& warp, const Node& node);
  void notifyInstruction(const RunningWarp& warp, std::uint32_t instruction, LaneMask lanes);
  [[nodiscard]] WarpContext contextOf(const RunningWarp& warp, LaneMask lanes) const;
  [[nodiscard]] LaneMask unmappedLanes(const OutOfBounds& fault) const;
  [[nodiscard]] std::string describe(const OutOfBounds& fault) const;

  const DecodedProgram& decoded_;
  const Launch& launch_;
  Notifier& notifier_;
  const ExecuteOptions& options_;
  BlockMemory memory_;
  std::vector<RunningWarp> warps_;
  std::vector<std::uint32_t> sequence_;  ///< order of the warps in this barrier interval
  std::mt19937_64 dice_;                 ///< for WarpOrder::Random; reseeded for each block
  StepContext context_;
  std::vector<NodeCount> counts_;  ///< per node

  // State of the current block.
  Dim3 block_;
  std::uint64_t blockLinear_ = 0;
  std::uint64_t order_ = 0;
  std::uint32_t interval_ = 0;
  BarrierVoting votes_;  ///< at the barrier at which warps wait
  std::int64_t budget_ = 0;
  std::optional<EndlessLoops> endless_;  ///< once the budget is used up
  std::uint32_t polls_ = 0;
  RunningWarp* running_ = nullptr;
  StatementId turn_ = kNone;
  bool ranSteps_ = false;  ///< since the last release
  bool begins_ = true;     ///< an interval; false: one in which warps were spinning goes on
  bool first_ = true;      ///< the first interval
  bool atGrid_ = false;    ///< waits at a barrier of the grid
  bool spins_ = false;     ///< a warp has gone round a loop in vain since all last ran
  SourceRange waitsAt_;
  Failure failure_;
  std::map<std::uint64_t, MemoryBarrier> memoryBarriers_;  ///< by address
  /// The first thread since all warps last ran that waits for a barrier in shared memory in vain.
  struct Stuck {
    std::uint32_t warp = kNone;
    int lane = 0;
    std::uint32_t node = 0;
    std::uint64_t address = 0;
  };
  Stuck stuck_;

  std::vector<const BlockRunner*> cluster_;  ///< by rank; empty where there are none
  std::uint32_t rank_ = 0;
  std::uint64_t outOfBounds_ = 0, unmapped_ = 0;
  Fault firstFault_;
};

}  // namespace haloscope::simt
