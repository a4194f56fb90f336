#pragma once

#include "program/Program.h"

namespace haloscope::frontend {

/// Lets temporaries share registers once they are dead, and drops registers nobody names, so that a warp's register
/// file stays in the cache. Two temporaries of one statement never share: a person may want to see both.
void compactRegisters(Program& program);

}  // namespace haloscope::frontend
