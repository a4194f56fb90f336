#include "reports/ProgressLine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "program/NumberText.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kInterval{0.5};
constexpr Seconds kRate{1}, kLongestWait{10};  ///< before a single estimate: some blocks must have run first

/// Waits that long; false if it is asked to stop before.
bool waitFor(const Seconds& time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace

std::string durationText(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : trf("{:.0f} min", seconds / 60);
}

std::string progressText(std::uint64_t done, const LaunchConfiguration& launch, double seconds) {
  const std::uint64_t all = launch.grid.count();
  if (done == 0) {
    return trf("{} blocks of {} threads are to be executed", grouped(all), grouped(launch.block.count()));
  }
  const double left = seconds * static_cast<double>(all - std::min(done, all)) / static_cast<double>(done);
  return trf("{} of {} blocks executed, about {} left", grouped(done), grouped(all), durationText(left));
}

CountProgress::CountProgress(const LaunchConfiguration& launch)
    : launch_(launch), thread_([this](const std::stop_token& stop) { report(stop); }) {}

CountProgress::~CountProgress() {
  thread_.request_stop();
  thread_.join();
}

void CountProgress::report(const std::stop_token& stop) const {
  ProgressLine line;
  std::optional<std::chrono::steady_clock::time_point> first;  // the arrays are made before
  const auto ran = [&] { return first ? Seconds(std::chrono::steady_clock::now() - *first) : Seconds{0}; };
  const auto begin = std::chrono::steady_clock::now();
  while (waitFor(kInterval, stop)) {
    if (!first && blocks_.count() > 0) { first = std::chrono::steady_clock::now() - std::chrono::milliseconds(500); }
    const Seconds waited = std::chrono::steady_clock::now() - begin;
    if (!line.onTerminal() && ran() < kRate && waited < kLongestWait) { continue; }
    line.show(progressText(blocks_.count(), launch_, ran().count()));
  }
}

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
