#pragma once

#include <stop_token>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "program/Launch.h"

namespace haloscope::checking {

/// Tries a __syncthreads() at a few places of a kernel whose only fault is a race in shared memory. Where the changed
/// text is executed without any finding, the race says so, and has the change. Does nothing for other findings.
void mendRace(CheckReport& report, const KernelFile& file, const Bindings& bindings, const CheckOptions& options);

/// The same of what is on screen, in a second at most; not where barriers are left out by choice, nor of a task of the
/// bug lab. Throws
/// experiment::Cancelled when it was stopped.
void mendRace(CheckReport& report, const experiment::Experiment& experiment, const std::stop_token& stop);

}  // namespace haloscope::checking
