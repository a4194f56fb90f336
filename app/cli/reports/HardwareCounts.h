#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "catalogue/Catalogue.h"
#include "hardware/Counters.h"
#include "options/ExitCode.h"
#include "options/KernelOptions.h"

namespace haloscope {

/// `haloscope count --hardware`: the same launch counted by the emulator and by the GPU's hardware; without a size, at
/// one that exceeds the caches. Throws MissingError without a GPU.
ExitCode countOnHardware(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json);

/// Why warps waited, the longest first.
[[nodiscard]] nlohmann::ordered_json stallsToJson(const hardware::Counters& counters);

}  // namespace haloscope
