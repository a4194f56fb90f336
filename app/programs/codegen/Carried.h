#pragma once

#include <string>

#include "machine/KernelShape.h"
#include "program/Program.h"

namespace haloscope::codegen {

/// Why a launch has to be interpreted, as a few words; empty if machine code can execute it.
[[nodiscard]] std::string notCarried(const Program& program, const machine::KernelShape& launch);

}  // namespace haloscope::codegen
