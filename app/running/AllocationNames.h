#pragma once

#include <string>
#include <vector>

#include "running/ProgramRun.h"

namespace haloscope::running {

/// What people call each of ProgramRun::allocations: a variable of the device by its own name, other memory by the
/// variable that the host's text gives to the function that allocates it: "d_in", "fields[i]", with "#3" behind it
/// where several have that name. "#3, line 19" where the text has none.
[[nodiscard]] std::vector<std::string> allocationNames(const ProgramRun& run, const host::HostProgram& program);

/// The variable in the `occurrence`-th call on a line that allocates memory: "d_in" of `cudaMalloc((void**)&d_in, n)`.
/// Empty if there is none. A line in a loop is used again: occurrences count on after its last call.
[[nodiscard]] std::string allocatedVariable(const std::string& text, int line, std::size_t occurrence);

}  // namespace haloscope::running
