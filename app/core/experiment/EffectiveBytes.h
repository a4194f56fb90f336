#pragma once

#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope::experiment {

/// What a launch moves between a GPU and its memory if nothing is moved twice: in each time step every point of the
/// input is read once and every point that is computed is written once. A border that keeps its value is not written.
/// Of a kernel of which it is not known what it computes: every global array once. Throws as makeLaunch.
[[nodiscard]] double effectiveBytes(const KernelFile& file, const Bindings& bindings, const Program& program);

}  // namespace haloscope::experiment
