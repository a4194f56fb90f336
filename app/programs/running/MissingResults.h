#pragma once

#include "host/HostProgram.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// A result that never reaches the host is a fault, and no note, where the program's own comparison accepts it in one
/// of the host's arrays: it is executed again with the result there, and with some values of it in other places, which
/// it has to reject as it does now.
void findMissingResults(ProgramRun& run, const host::HostProgram& program, const RunOptions& options);

}  // namespace haloscope::running
