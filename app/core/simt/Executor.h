#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/InstructionSet.h"
#include "simt/Observer.h"

/// The emulator: executes a Program for a launch, warp by warp with an active mask, blocks spread over the cores.
namespace haloscope::simt {

/// Warp instructions that a block may run where ExecuteOptions says nothing else.
inline constexpr std::uint64_t kDefaultInstructionBudget = 50'000'000;

/// How the warps of a block are scheduled.
enum class Schedule : std::uint8_t {
  /// Each warp runs to its next barrier (or its end) before the next warp runs. The fastest.
  Barrier,
  /// All warps at the earliest statement in the source execute that statement, and so on: the warps advance through the
  /// source in lockstep. A legal order on a GPU, and the easiest one to follow.
  Statement,
};

/// The order of the warps where the hardware is free to choose. Every order is legal: a kernel whose result depends on
/// it has a race. In all orders but the first, a warp runs ahead of the others up to the next barrier, which exposes
/// missing barriers; in Schedule::Statement a turn is then one statement of one warp.
enum class WarpOrder : std::uint8_t {
  SideBySide,   ///< no warp runs ahead of another (Schedule::Statement); as InOrder in Schedule::Barrier
  InOrder,      ///< warp 0 runs to the barrier first, then warp 1, …
  Reversed,     ///< the last warp first
  Random,       ///< drawn for every turn, seeded by ExecuteOptions::orderSeed
  Adversarial,  ///< reversed in even barrier intervals, in order in odd ones
};

/// Execution count per instruction. Cheap enough for the executor to keep without an observer.
struct Profile {
  std::vector<std::uint64_t> lanes;  ///< per instruction of Program::code: sum of active lanes
  std::vector<std::uint64_t> warps;  ///< per instruction: warps that ran it with a non-empty mask

  void add(const Profile& other);
};

struct ExecuteOptions {
  Schedule schedule = Schedule::Barrier;
  WarpOrder order = WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< for WarpOrder::Random
  unsigned workers = 0;         ///< 0: one per core
  /// Linear indices; empty: the whole grid. Of a program that synchronises its grid all blocks run, and these are
  /// observed. Of a launch with clusters, their whole clusters run and are observed.
  std::vector<std::uint64_t> onlyBlocks{};
  std::uint64_t instructionBudget = 0;  ///< warp instructions a block may run (and a few more); 0: 50 million
  std::uint64_t launchBudget = 0;       ///< warp instructions all blocks may run together; 0: unlimited
  std::stop_token stop{};               ///< polled between blocks and every few thousand loop iterations
  /// For tests: vector instructions to use if available; the results do not depend on them.
  InstructionSet instructionSet = bestInstructionSet();
};

enum class Outcome : std::uint8_t {
  Finished,
  Endless,           ///< a block is in a loop that never ends, or waits for a barrier that never opens
  LongLoop,          ///< a block used up its instruction budget in a loop; whether that ends is not known
  DivergentBarrier,  ///< lanes of one warp wait at different barriers: no progress is possible
  GridBarrier,       ///< a barrier of the grid that cannot open
  ClusterBarrier,    ///< one of a cluster that cannot open, or is waited for without an arrival
  Trap,              ///< threads have ended the launch: a failed assertion, or __trap()
  TooLong,           ///< the blocks used up the launch's budget
  Stopped,
};

struct ExecuteResult {
  Outcome outcome = Outcome::Finished;
  std::string message;  ///< one sentence with the place, when not Finished
  SourceRange where;
  std::uint64_t block = 0;        ///< linear index of the block that stopped the run
  std::uint64_t outOfBounds = 0;  ///< total lane accesses outside their object
  std::uint64_t unmapped = 0;     ///< those of them where a GPU has no memory, see Launch::mapped
  SourceRange firstOutOfBounds;   ///< of the unmapped ones, if there are any
  std::string firstOutOfBoundsMessage;
  Profile profile;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
};

/// Runs `program` on `launch`. Global arrays in `launch.arrays` are read and written in place. The result does not
/// depend on the number of workers, unless blocks race for the same elements; a kernel with atomics on global memory
/// runs on one worker for that reason, as does one that fences; one that synchronises its grid, with all blocks at
/// once; the blocks of a cluster run together on one worker. Uninitialised shared memory, local arrays and variables
/// have all bits set. Throws InputError if the launch does not fit the program (missing array, too many threads, too
/// much shared memory).
ExecuteResult execute(const Program& program, Launch& launch, std::span<Observer* const> observers,
                      const ExecuteOptions& options = {});

/// Whether the result may depend on the order of the blocks, because a global array is read and written, or blocks are
/// ordered by fences: one worker executes them then.
[[nodiscard]] bool needsBlockOrder(const Program& program);

/// Vectorised fast path: no observers, the whole grid.
ExecuteResult execute(const Program& program, Launch& launch);

}  // namespace haloscope::simt
