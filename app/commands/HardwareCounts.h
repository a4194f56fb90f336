#pragma once

#include <string>

#include "options/ExitCode.h"
#include "options/KernelOptions.h"
#include "program/Catalogue.h"

namespace haloscope {

/// `haloscope count --hardware`: the same launch counted by the emulator and by the GPU's hardware; without a size, at
/// one that exceeds the caches. Throws MissingError without a GPU.
ExitCode countOnHardware(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json);

}  // namespace haloscope
