#pragma once

#include "machine/KernelShape.h"
#include "program/Program.h"

namespace haloscope::codegen {

/// How many warps of a block machine code executes as one, instruction by instruction: 2, or 1 where that may compute
/// something else than one after the other from barrier to barrier, as the emulator executes them, or does not pay.
[[nodiscard]] unsigned warpsTogether(const Program& program, const machine::KernelShape& launch);

}  // namespace haloscope::codegen
