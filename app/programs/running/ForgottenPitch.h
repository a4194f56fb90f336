#pragma once

#include "running/ProgramRun.h"

namespace haloscope::running {

/// Kernels that read the padding behind the rows of a pitched array, because the launch does not pass its pitch: the
/// finding says so.
void nameForgottenPitches(ProgramRun& run);

}  // namespace haloscope::running
