#pragma once

#include "figures/CodeReport.h"
#include "measuring/GpuSpecs.h"

namespace haloscope {

struct AppState;

/// The GPU that figures compute limits for: the one that the person chose to predict for; without a choice the one of
/// this machine, if assets/gpus.json has it, else the first there. Null where the file has none.
[[nodiscard]] const measuring::GpuSpec* chosenGpu(const AppState& state);

/// What code is compiled for on it.
[[nodiscard]] figures::CodeTarget codeTarget(const measuring::GpuSpec& gpu);

}  // namespace haloscope
