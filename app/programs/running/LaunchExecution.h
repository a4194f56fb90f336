#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "running/LaunchBinding.h"
#include "simt/Executor.h"

namespace haloscope::running {

/// What executing a launch may take, in warp instructions.
struct LaunchBudget {
  std::uint64_t instructions = 0;                ///< without checks
  std::uint64_t checked = 0;                     ///< under all checks; 0: no checks
  std::uint64_t bytes = std::uint64_t{1} << 30;  ///< for what is copied of the arrays that the kernel writes
  bool wholeOnly = false;                        ///< a launch that takes more executes no more blocks than are checked
  unsigned workers = 0;
  std::stop_token stop{};
};

struct LaunchOutcome {
  std::vector<faults::Finding> findings;
  bool checked = false;
  bool tooLarge = false;     ///< it writes arrays that could not be copied for the checks
  std::uint64_t blocks = 0;  ///< executed ones; fewer than the grid has where it is too large
  std::uint64_t checkedBlocks = 0;
  std::uint64_t instructions = 0;  ///< warp instructions that it took, or would take
  std::string problem;             ///< why it did not end, a sentence
  std::vector<bool> loaded;        ///< objects from which something was read
  std::uint64_t flops = 0, globalBytes = 0, textureRequests = 0;
};

/// Executes a launch on the emulator. Where all its blocks are more than the budget allows, those at the grid's borders
/// and in its middle are executed, or checked, before others.
[[nodiscard]] LaunchOutcome execute(BoundLaunch& bound, const LaunchBudget& budget);

/// What a launch may write to be checked whole, if so much can be copied.
[[nodiscard]] std::uint64_t mostCheckedBytes(std::uint64_t copied);

/// At most `count` blocks of a grid as linear indices, ascending: corners, edges and faces, then the middle, then
/// others in their order.
[[nodiscard]] std::vector<std::uint64_t> representativeBlocks(const Dim3& grid, std::uint64_t count);

}  // namespace haloscope::running
