#pragma once

#include <chrono>
#include <cstdint>
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

/// Says on standard error how far something long has come: again and again on a terminal, in a line that is erased when
/// it is over; else once, in a note. Belongs to one thread at a time.
class ProgressLine {
 public:
  /// Says nothing of what takes less than two seconds.
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows it if it is time to: may be called as often as there is news.
  void show(const std::string& text);
  [[nodiscard]] bool onTerminal() const { return terminal_; }

 private:
  const bool terminal_;
  const std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
  bool shown_ = false;
};

}  // namespace haloscope
