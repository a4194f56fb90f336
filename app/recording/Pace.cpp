#include "recording/Pace.h"

#include <algorithm>

namespace haloscope::recording {

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
  const Interval& interval = recording.intervals[recording.steps[step].interval];
  double all = 0;
  for (std::size_t i = interval.firstStep; i < interval.endStep; ++i) { all += secondsOf(recording.activities[i]); }
  return secondsOf(recording.activities[step]) * std::min(1.0, kLongestInterval / std::max(all, 1e-9));
}

}  // namespace haloscope::recording
