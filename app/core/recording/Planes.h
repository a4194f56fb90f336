#pragma once

#include "recording/Recording.h"

namespace haloscope::recording {

/// Cuts a recording's steps into planes, the turns of the outermost loop with a barrier in it: fills `planes` and
/// every step's `plane`. A last turn that only finds the loop's condition false does not count.
void findPlanes(Recording& recording);

}  // namespace haloscope::recording
