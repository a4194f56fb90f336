#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// When each step of a recording begins and ends as it is played at speed 1, in seconds from the first step: the sums
/// of secondsOf(). Takes time in proportion to the steps to make, and little to ask.
class FilmClock {
 public:
  FilmClock() = default;
  explicit FilmClock(const Recording& recording);

  [[nodiscard]] std::size_t steps() const { return ends_.size(); }
  /// Of a step, or the end of the last one for steps(): the end of a range of steps. `step` must not be beyond.
  [[nodiscard]] double begin(std::size_t step) const { return step == 0 ? 0 : ends_[step - 1]; }
  /// `step` must be less than steps().
  [[nodiscard]] double end(std::size_t step) const { return ends_[step]; }
  [[nodiscard]] double seconds(std::size_t step) const { return end(step) - begin(step); }
  [[nodiscard]] double total() const { return ends_.empty() ? 0 : ends_.back(); }
  /// The step that is shown at a second; the first one before the beginning, the last one from the end on; 0 if there
  /// are no steps.
  [[nodiscard]] std::size_t stepAt(double second) const;

 private:
  std::vector<double> ends_;
};

/// What takes most of the time from one second to another; Activity::Control where there is none. `mostSteps`: where
/// more are within, as many of them are looked at, evenly spread.
[[nodiscard]] Activity longestActivity(const Recording& recording, const FilmClock& clock, double from, double to,
                                       std::size_t mostSteps = std::numeric_limits<std::size_t>::max());

/// Seconds that a step is shown at speed 1, for its movement to be seen: index arithmetic is passed quickly, values
/// that move take their time. The steps of a barrier interval share kLongestInterval at most.
[[nodiscard]] double secondsOf(const Recording& recording, std::size_t step);

/// The same of a step alone, whatever else its barrier interval has.
[[nodiscard]] double secondsOf(Activity activity);

inline constexpr double kLongestInterval = 4;

/// Of the time that a step is shown while it is played, until its movement is over.
inline constexpr double kMovingShare = 0.9;

}  // namespace haloscope::recording
