#pragma once

#include <stop_token>

#include "judging/KernelVerdicts.h"

namespace haloscope::judging {

/// A program that compares a result with an array of its own, from which it differs, or that ends with a status of
/// failure, and nothing yet says why: small changes of its kernels are tried, one after the other, until with one of
/// them the result is that array; or until the program ends with success, and with failure again where values of that
/// result change places. The change says where the kernel is wrong: a finding of its last launch. How many are tried
/// depends on what the program takes.
void addProgramRepair(ExecutedProgram& program, const std::stop_token& stop = {});

}  // namespace haloscope::judging
