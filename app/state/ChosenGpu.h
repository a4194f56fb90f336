#pragma once

#include <string>

#include "figures/CodeReport.h"
#include "measuring/GpuSpecs.h"
#include "measuring/Tuning.h"

namespace haloscope {

struct AppState;

/// The GPU that everything is predicted for - roofline, tuning map and figures: the one that the user chose; without a
/// choice the one of this machine, if assets/gpus.json has it, else the first there. Null where the file has none.
[[nodiscard]] const measuring::GpuSpec* chosenGpu(const AppState& state);

/// The tuning map's target on it, where nothing can be timed; `missing` says why.
[[nodiscard]] measuring::TuningTarget predictedTarget(const measuring::GpuSpec& gpu, std::string missing);

/// What code is compiled for on it.
[[nodiscard]] figures::CodeTarget codeTarget(const measuring::GpuSpec& gpu);

}  // namespace haloscope
