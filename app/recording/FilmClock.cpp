#include "recording/FilmClock.h"

#include <algorithm>

#include "recording/Pace.h"

namespace haloscope::recording {

FilmClock::FilmClock(const Recording& recording) {
  ends_.reserve(recording.steps.size());
  double second = 0;
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    second += secondsOf(recording, step);
    ends_.push_back(second);
  }
}

std::size_t FilmClock::stepAt(double second) const {
  if (ends_.empty()) { return 0; }
  const auto found = std::ranges::upper_bound(ends_, second);
  return std::min(static_cast<std::size_t>(found - ends_.begin()), ends_.size() - 1);
}

}  // namespace haloscope::recording
