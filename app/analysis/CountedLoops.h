#pragma once

#include "program/Program.h"

namespace haloscope::analysis {

/// Whether every loop of the text is seen to end: its variable moves by a constant towards a bound that stands still,
/// and is wide enough to get there. Told from the text alone; false where it cannot be told.
[[nodiscard]] bool everyLoopEnds(const Program& program);

}  // namespace haloscope::analysis
