#pragma once

#include <span>
#include <stop_token>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"

namespace haloscope::checking {

/// Compares what an experiment executed with the other kernels of its text, see compareSiblings(), and adds to its
/// report what is found. Throws Cancelled when asked to stop.
void compareInFile(const experiment::Experiment& experiment, std::span<const KernelFile> others, CheckReport& report,
                   const std::stop_token& stop);

}  // namespace haloscope::checking
