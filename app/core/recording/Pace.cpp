#include "recording/Pace.h"

#include <algorithm>
#include <array>

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

Activity longestActivity(const Recording& recording, const FilmClock& clock, double from, double to,
                         std::size_t mostSteps) {
  std::array<double, static_cast<std::size_t>(Activity::Barrier) + 1> seconds{};
  if (clock.steps() > 0 && from < to) {
    const std::size_t first = clock.stepAt(from);
    const std::size_t end = clock.stepAt(to) + 1;
    const std::size_t stride = 1 + (end - first) / mostSteps;
    for (std::size_t step = first; step < end; step += stride) {
      seconds.at(static_cast<std::size_t>(recording.activities[step])) +=
          std::max(0.0, std::min(to, clock.end(step)) - std::max(from, clock.begin(step)));
    }
  }
  return static_cast<Activity>(std::ranges::max_element(seconds) - seconds.begin());
}

double secondsOf(Activity activity) {
  switch (activity) {
    case Activity::Control:
      return 0.05;
    case Activity::Load:
    case Activity::Output:
    case Activity::Move:
      return 0.8;
    case Activity::Compute:
      return 0.6;
    case Activity::Barrier:
      return 0.4;
  }
  return 0;
}

double secondsOf(const Recording& recording, std::size_t step) {
  const double all = recording.intervals[recording.steps[step].interval].seconds;
  const double alone = secondsOf(recording.activities[step]);
  return all > kLongestInterval ? alone * kLongestInterval / all : alone;
}

}  // namespace haloscope::recording
