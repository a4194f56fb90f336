#pragma once

#include "catalogue/KernelFile.h"
#include "checking/Check.h"

namespace haloscope::checking {

/// Turns findings that rest on assumed sizes or made-up integers into notes: an access beyond an array whose size is
/// unknown, and a division by zero where such an integer may be the divisor. `report` has its program.
void dropAssumed(const KernelFile& file, CheckReport& report);

}  // namespace haloscope::checking
