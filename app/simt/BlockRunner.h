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

/// Runs one block after another on one core: gives its warps turns, matches them at barriers, tells the observers.
class BlockRunner final : private AccessListener {
 public:
  BlockRunner(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory, Notifier& notifier,
              const ExecuteOptions& options);
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Why a block could not be run to its end.
  struct Failure {
    Outcome outcome = Outcome::Finished;
    std::string message;
    SourceRange where;
  };
  /// The first access outside its object, of all blocks this has run.
  struct Fault {
    std::uint64_t order = std::numeric_limits<std::uint64_t>::max();  ///< of the block in the launch
    std::string message;
    SourceRange where;
  };

  /// Runs the block with this linear index. `order` ranks blocks for the choice of the first fault.
  [[nodiscard]] Failure run(std::uint64_t blockLinear, std::uint64_t order);

  /// Warp instructions that the last block ran.
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] std::uint64_t outOfBoundsCount() const { return outOfBounds_; }
  [[nodiscard]] const Fault& firstFault() const { return firstFault_; }
  /// Adds what this runner's blocks executed, per instruction.
  void addTo(Profile& profile) const;

 private:
  enum class Pause : std::uint8_t { Statement, Barrier, Finished, Failed };
  struct NodeCount {
    std::uint64_t lanes = 0;
    std::uint64_t warps = 0;
  };

  void accessed(MemoryAccess& access) override;
  void outOfBounds(const OutOfBounds& fault) override;

  void runToBarriers();
  void runTurns();
  [[nodiscard]] bool runTurn(std::uint32_t node);
  void runTurnsOneByOne();
  [[nodiscard]] bool runTurnOf(RunningWarp& warp);
  /// Brings every warp to its first statement, or to the next one after a barrier.
  [[nodiscard]] bool advanceToStatements();
  /// Puts the warps into `sequence_` for the barrier interval at hand.
  void arrangeWarps();
  void endTurn();
  /// Opens the barrier if all warps that have not finished wait at it.
  bool release();

  /// Runs a warp until it finishes, waits at a barrier, or (if `turns`) stands at a statement; `enterStatement`
  /// makes it execute the statement that it stands at.
  Pause advance(RunningWarp& warp, bool turns, bool enterStatement);
  template <bool kInstructions>
  Pause advanceNotifying(RunningWarp& warp, bool turns, bool enterStatement);
  Pause arrive(RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void leaveKernel(RunningWarp& warp, const Node& node);
  [[gnu::noinline]] void passWarpBarrier(const RunningWarp& warp, const Node& node);
  [[nodiscard]] bool mayGoRound(RunningWarp& warp);

  [[nodiscard]] LaneMask condition(const RunningWarp& warp, const Node& node) const;
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
  std::vector<std::uint32_t> sequence_;  ///< which warp goes first, second, … in this barrier interval
  std::mt19937_64 dice_;                 ///< of WarpOrder::Random; seeded anew for each block
  StepContext context_;
  std::vector<NodeCount> counts_;  ///< per node

  // Of the block that runs.
  Dim3 block_;
  std::uint64_t blockLinear_ = 0;
  std::uint64_t order_ = 0;
  std::uint32_t interval_ = 0;
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
