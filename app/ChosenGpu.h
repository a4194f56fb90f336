#pragma once

#include "figures/CodeReport.h"

namespace haloscope {

struct AppState;
struct GpuSpec;

/// The GPU that figures compute limits for: the one that the person chose to predict for; without a choice the one of
/// this machine, if assets/gpus.json has it, else the first there. Null where the file has none.
[[nodiscard]] const GpuSpec* chosenGpu(const AppState& state);

/// What code is compiled for on it.
[[nodiscard]] figures::CodeTarget codeTarget(const GpuSpec& gpu);

}  // namespace haloscope
