#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// For each Store of an asynchronous copy the Load of what it copies. kNone for other instructions, and where a copy
/// stores zeros alone.
[[nodiscard]] std::vector<std::uint32_t> loadsOfCopies(const Program& program);

}  // namespace haloscope
