#pragma once

#include <vector>

#include "program/Program.h"

namespace haloscope::provenance {

/// Registers of variables that some path through the text reads before it assigns them: of what the text alone cannot
/// rule out, only an execution can show. Ascending; never a parameter.
[[nodiscard]] std::vector<RegisterId> possiblyUnassigned(const Program& program);

}  // namespace haloscope::provenance
