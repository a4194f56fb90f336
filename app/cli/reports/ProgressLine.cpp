#include "reports/ProgressLine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "text/Print.h"

namespace haloscope {

ProgressLine::ProgressLine()
    : terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

ProgressLine::~ProgressLine() {
  if (terminal_ && shown_) { eraseLine(stderr); }
}

void ProgressLine::show(const std::string& text) {
  constexpr double kPatience = 2, kBetweenLines = 0.2;
  const bool due = terminal_ ? secondsSince(last_) >= kBetweenLines : !shown_;
  if (secondsSince(begin_) < kPatience || !due) { return; }
  shown_ = true;
  last_ = std::chrono::steady_clock::now();
  if (!terminal_) {
    trPrint(stderr, "haloscope: note: {}\n", text);
    return;
  }
  eraseLine(stderr);
  printText(stderr, "{}", text);
  std::fflush(stderr);
}

}  // namespace haloscope
