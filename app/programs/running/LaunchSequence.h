#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Executes the launches of a program, one after the other, under the budget that all have together. A survey that has
/// exceeded it executes only launches of another shape than those before.
class LaunchSequence {
 public:
  LaunchSequence(const RunOptions& options, bool survey)
      : options_(options),
        survey_(survey),
        most_(survey ? std::min(options.budget.kernelTime, 4 * options.budget.patience) : options.budget.kernelTime),
        instructionsLeft_(options.budget.warpInstructions) {}

  /// The outcome is written down in `launch`. `excess`: of the program so far; set by a launch that exceeds the
  /// budget. Throws InputError for a launch that cannot be executed.
  void execute(ProgramLaunch& launch, BoundLaunch& bound, Excess& excess);
  /// Whether no launch of the same shape has been executed.
  [[nodiscard]] bool isNew(const ProgramLaunch& launch) const;
  /// Launches since the last that was executed.
  [[nodiscard]] std::size_t skipped() const { return skipped_; }

 private:
  const RunOptions& options_;
  const bool survey_;
  const std::chrono::milliseconds most_;  ///< time for all launches
  std::uint64_t instructionsLeft_;
  std::chrono::steady_clock::duration executing_{0};  ///< time for all launches so far
  std::size_t skipped_ = 0;
  std::map<std::string, int> checkedTimes_;  ///< by shape
  /// Kernels whose results depend on the order of their blocks, which then is always the same.
  std::set<std::string> racing_;
};

/// Whether all blocks of a launch were executed to their end.
[[nodiscard]] bool isWhole(const ProgramLaunch& launch);

/// The cudaError_t with which a GPU would end such a kernel and fail every call after it; 0: none.
[[nodiscard]] int stickyErrorOf(const ProgramLaunch& launch);

}  // namespace haloscope::running
