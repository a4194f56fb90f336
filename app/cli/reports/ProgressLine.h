#pragma once

#include <chrono>
#include <string>

namespace haloscope {

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
