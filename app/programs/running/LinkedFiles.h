#pragma once

#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Executes a program. Where it uses functions, variables or kernels that none of its files defines, it is executed
/// with those of ProgramFiles::others that do, as a Makefile would link them; `files` then has them, too.
/// Where several of its files define the same, they are no one program: `files` then has the one with main(), and those
/// that it needs.
[[nodiscard]] ProgramRun runLinked(ProgramFiles& files, const RunOptions& options);

}  // namespace haloscope::running
