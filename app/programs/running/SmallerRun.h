#pragma once

#include "running/ProgramRun.h"

namespace haloscope::running {

/// Executes a program. One that is too large for the budget is executed with smaller sizes, if it offers any.
[[nodiscard]] ProgramRun runAtFittingSizes(const host::HostProgram& program, const RunOptions& options);

}  // namespace haloscope::running
