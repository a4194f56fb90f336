#pragma once

#include <stop_token>

#include "judging/KernelVerdicts.h"

namespace haloscope::judging {

/// A program that rejects a result, compares it with an array of its own from which it differs, or ends with a status
/// of failure, and nothing yet says why: small changes of its kernels are tried, one after the other. With which of
/// them the program accepts the result is said with its finding, if it is known to reject it, and else in a remark: a
/// program may compare two methods, or end with failure for another reason than a wrong kernel. How many are tried
/// depends on what the program takes; for some seconds at most.
void addProgramRepair(ExecutedProgram& program, const std::stop_token& stop = {});

}  // namespace haloscope::judging
