#pragma once

#include "running/ProgramRun.h"

namespace haloscope::running {

/// Where a size is a multiple of a block's edge, a missing guard has no effect. Executes a program again with such
/// sizes smaller by 3, as far as it offers them (see offeredSizes), after `run`, in which no access was out of bounds.
/// What is out of bounds then becomes a finding of the same launch of `run`, if that has the same grid and block: there
/// the host rounds up, which is meant for such sizes.
void addFaultsAtOtherSizes(const host::HostProgram& program, const RunOptions& options, ProgramRun& run);

}  // namespace haloscope::running
