#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "simt/BlockMemory.h"
#include "simt/DecodedProgram.h"
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
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Why a block could not be completed.
  struct Failure {
    Outcome outcome = Outcome::Finished;
    std::string message;
    SourceRange where;
  };
  /// The first out-of-bounds access over all blocks run by this runner.
  struct Fault {
    std::uint64_t order = std::numeric_limits<std::uint64_t>::max();  ///< rank of the block in the launch
    std::string message;
    SourceRange where;
  };

  /// Runs the block with this linear index. `order` ranks blocks for the choice of the first fault.
  [[nodiscard]] Failure run(std::uint64_t blockLinear, std::uint64_t order);

  /// Warp instructions executed by the last block.
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] std::uint64_t outOfBoundsCount() const { return outOfBounds_; }
  [[nodiscard]] const Fault& firstFault() const { return firstFault_; }
  /// Adds the per-instruction execution counts of this runner's blocks.
  void addTo(Profile& profile) const;

 private:
  enum class Pause : std::uint8_t { Statement, Barrier, Finished, Failed };
  struct NodeCount {
    std::uint64_t lanes = 0;
    std::uint64_t warps = 0;
  };

  void accessed(MemoryAccess& access) override;
  void outOfBounds(const OutOfBounds& fault) override;
  void copyIssued(MemoryAccess& access) override;

  void runToBarriers();
  void runTurns();
  [[nodiscard]] bool runTurn(std::uint32_t node);
  void runTurnsOneByOne();
  [[nodiscard]] bool runTurnOf(RunningWarp& warp);
  /// Advances every warp to its first statement, or to the next one after a barrier.
  [[nodiscard]] bool advanceToStatements();
  /// Sets `sequence_`, the order of the warps in the current barrier interval.
  void arrangeWarps();
  void endTurn();
  /// Opens the barrier if all unfinished warps wait at it.
  bool release();

  /// Runs a warp until it finishes, waits at a barrier, or (if `turns`) is at a statement; with `enterStatement` it
  /// first executes the statement that it is at.
  Pause advance(RunningWarp& warp, bool turns, bool enterStatement);
  template <bool kInstructions>
  Pause advanceNotifying(RunningWarp& warp, bool turns, bool enterStatement);
  Pause arrive(RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void leaveKernel(RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void passWarpBarrier(const RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void commitCopies(RunningWarp& warp, const Node& node);
  void checkBarrier(const RunningWarp& warp, const Node& node) const;
  /// Makes the stores of the copies that a CopyWait covers.
  [[gnu::noinline]] void landCopies(RunningWarp& warp, const Node& node);
  [[nodiscard]] bool mayGoRound(RunningWarp& warp);

  [[nodiscard]] LaneMask condition(const RunningWarp& warp, const Node& node) const;
  template <class Lane>
  [[nodiscard]] static const Lane* lanesOf(const RunningWarp& warp, Operand operand);
  void runSteps(RunningWarp& warp, const Node& node);
  void runStepsNotifying(RunningWarp& warp, const Node& node);
  void notifyInstruction(const RunningWarp& warp, std::uint32_t instruction, LaneMask lanes);
  [[nodiscard]] WarpContext contextOf(const RunningWarp& warp, LaneMask lanes) const;
  [[nodiscard]] std::string describe(const OutOfBounds& fault) const;
  [[nodiscard]] std::string describeBlock() const;

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
  std::uint32_t polls_ = 0;
  RunningWarp* running_ = nullptr;
  StatementId turn_ = kNone;
  bool ranSteps_ = false;  ///< since the last release
  Failure failure_;

  std::uint64_t outOfBounds_ = 0;
  Fault firstFault_;
};

}  // namespace haloscope::simt
