#pragma once

#include "running/ProgramRun.h"

namespace haloscope::running {

/// Executes a program as it is. `survey`: once it exceeds RunBudget::patience, only launches of another shape than
/// those before are looked at, under all checks and in the blocks that these allow.
[[nodiscard]] ProgramRun runAsItIs(const host::HostProgram& program, const RunOptions& options, bool survey);

}  // namespace haloscope::running
