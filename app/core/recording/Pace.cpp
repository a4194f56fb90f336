#include "recording/Pace.h"

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
  const double all = recording.intervals[recording.steps[step].interval].seconds;
  const double alone = secondsOf(recording.activities[step]);
  return all > kLongestInterval ? alone * kLongestInterval / all : alone;
}

}  // namespace haloscope::recording
