#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "analysis/FinishedBlocks.h"
#include "program/Launch.h"

namespace haloscope {

/// "45 s", "12 min".
[[nodiscard]] std::string durationText(double seconds);
/// "12,000 of 48,000 blocks executed, about 45 s left"; before the first block has ended how many there are to be.
[[nodiscard]] std::string progressText(std::uint64_t done, const LaunchConfiguration& launch, double seconds);

/// Says how far a long execution has come, in a ProgressLine.
class CountProgress {
 public:
  explicit CountProgress(const LaunchConfiguration& launch);
  ~CountProgress();
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  /// Pass this to the launch, which counts its finished blocks here.
  [[nodiscard]] analysis::FinishedBlocks& blocks() { return blocks_; }

 private:
  void report(const std::stop_token& stop) const;

  LaunchConfiguration launch_;
  analysis::FinishedBlocks blocks_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
