#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Declares all arrays behind pointers, for a grid of this rank: as the user states, as the executed program allocates
/// them, or as their names suggest. Throws InputError for an invalid shape.
void shapeArrays(LaunchDraft& draft, int rank);

}  // namespace haloscope::opening
