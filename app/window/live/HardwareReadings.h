#pragma once

#include "live/ClimbTimer.h"
#include "live/HardwareRunner.h"
#include "state/AppState.h"

namespace haloscope {

/// Has the GPU's hardware counters read on request: first of the variant on screen, then of the others of its
/// chapter, at the same tunables; with the climb in front, its rungs are timed and counted as a suite's, and then the
/// own kernel on screen. The field pauses while it reads.
class HardwareReadings {
 public:
  HardwareReadings(work::Pool& pool, HardwareRunner::Measure measure, ClimbTimer::Measure time);

  /// Once a frame. Waits for nothing.
  void update(AppState& state);
  /// Waits for all that was asked for.
  void settle(AppState& state);

 private:
  void startRequested(AppState& state);
  /// Once nothing comes any more: says why there is nothing, where no panel on screen does.
  void sayOutcome(AppState& state);

  HardwareRunner runner_;
  ClimbTimer timer_;
  bool readOwn_ = false;  ///< the own kernel, once the rungs are timed
  bool asked_ = false;    ///< and what came of it was not said yet
};

}  // namespace haloscope
