#pragma once

#include "running/ProgramRun.h"

namespace haloscope::running {

/// A result that never reaches the host, where the host instead copies back what it has itself copied to the device:
/// the array that the kernel reads. That is a fault, at the copy.
void findExchangedArrays(ProgramRun& run);

}  // namespace haloscope::running
