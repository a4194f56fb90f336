#pragma once

#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope::experiment {

/// Executes `program`, lowered at `bindings`, at the header's sizes, so that no kernel that fails on the emulator runs
/// on the GPU; at the sizes of a measurement the emulator would take minutes. `workers`: threads, 0 for one per core.
/// Throws FaultError.
void expectFaultless(const KernelFile& file, const Bindings& bindings, const Program& program, unsigned workers = 0);

}  // namespace haloscope::experiment
