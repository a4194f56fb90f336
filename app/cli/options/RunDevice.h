#pragma once

#include "measuring/GpuSpecs.h"
#include "running/ProgramRun.h"

namespace haloscope {

/// The device that an executed program sees: a GPU of assets/gpus.json, the rest by its compute capability.
[[nodiscard]] running::RunDevice runDevice(const measuring::GpuSpec& gpu);

/// How the command line executes programs. Throws InputError if the program's own files are missing.
[[nodiscard]] running::RunOptions runOptions(const measuring::GpuSpec& gpu);

}  // namespace haloscope
