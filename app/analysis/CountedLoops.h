#pragma once

#include "program/Program.h"

namespace haloscope::analysis {

/// Whether every loop of the text is seen to end: its variable moves by a constant towards a bound that is constant,
/// and is wide enough to get there. Found from the code alone; false where that is impossible.
[[nodiscard]] bool everyLoopEnds(const Program& program);

}  // namespace haloscope::analysis
