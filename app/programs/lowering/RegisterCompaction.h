#pragma once

#include "program/Program.h"

namespace haloscope::lowering {

/// Lets temporaries share registers once they are dead, and drops unused registers, so that a warp's register file
/// stays in the cache. Two temporaries of one statement never share a register, so that both can be shown.
void compactRegisters(Program& program);

}  // namespace haloscope::lowering
