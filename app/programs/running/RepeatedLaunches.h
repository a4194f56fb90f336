#pragma once

#include "host/HostProgram.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Launches that compute the same again and again, because nothing changes what they read: the arrays of a time loop
/// that are not exchanged. A finding for each place; none where the program may repeat them on purpose, to take the
/// time.
void addRepeatedLaunches(ProgramRun& run, const host::HostProgram& program);

}  // namespace haloscope::running
