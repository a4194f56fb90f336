#pragma once

#include <cstddef>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Seconds that a step is shown at speed 1, for its movement to be seen: index arithmetic is passed quickly, values
/// that move take their time. The steps of a barrier interval share kLongestInterval at most.
[[nodiscard]] double secondsOf(const Recording& recording, std::size_t step);

/// The same of a step alone, whatever else its barrier interval has.
[[nodiscard]] double secondsOf(Activity activity);

inline constexpr double kLongestInterval = 4;

/// Of the time that a step is shown while it is played, until its movement is over.
inline constexpr double kMovingShare = 0.9;

}  // namespace haloscope::recording
