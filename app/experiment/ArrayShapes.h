#pragma once

#include "experiment/LaunchDraft.h"

namespace haloscope::experiment {

/// Declares all arrays behind pointers, for a grid of this rank: as a person says, as the host allocates them, or as
/// their names suggest. Throws InputError for a shape that is none.
void shapeArrays(LaunchDraft& draft, int rank);

}  // namespace haloscope::experiment
