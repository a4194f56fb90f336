#pragma once

#include <filesystem>
#include <vector>

#include "AppState.h"

namespace haloscope::experiment {

/// Reads assets/gpus.json: the GPUs that the roofline can predict for, in the file's order.
/// Throws InputError naming the file, the entry and the field when it cannot be read, lacks a field, or holds a figure
/// that is not positive.
[[nodiscard]] std::vector<GpuSpec> readGpuSpecs(const std::filesystem::path& file);

}  // namespace haloscope::experiment
