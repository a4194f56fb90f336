#pragma once

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "program/Launch.h"

namespace haloscope::checking {

/// Tries a __syncthreads() at a few places of a kernel whose only fault is a race in shared memory. Where the changed
/// text is executed without any finding, the race says so, and has the change. Does nothing for other findings.
void mendRace(CheckReport& report, const KernelFile& file, const Bindings& bindings, const CheckOptions& options);

}  // namespace haloscope::checking
