#pragma once

#include <optional>
#include <string>

#include "figures/CodeReport.h"
#include "measuring/GpuSpecs.h"
#include "measuring/Roofline.h"
#include "measuring/Tuning.h"

namespace haloscope {

struct AppState;

/// The GPU of assets/gpus.json that a driver calls by this name; null where the file does not have it.
[[nodiscard]] const measuring::GpuSpec* gpuNamed(const AppState& state, const std::string& name);

/// The GPU that everything is predicted for - roofline, tuning map and figures: the one that the user chose; without a
/// choice the one of this machine, if assets/gpus.json has it, else the course's, else the first there. Null where the
/// file has none.
[[nodiscard]] const measuring::GpuSpec* chosenGpu(const AppState& state);

/// The GPU that the roofline predicts for. Null where it shows only what was measured on this machine's GPU, as it does
/// unless the user chose another one; null also where nothing was measured and assets/gpus.json has no GPU.
[[nodiscard]] const measuring::GpuSpec* predictedGpu(const AppState& state);

/// The roofs that the roofline shows for the operations of the current variant.
struct Roofs {
  measuring::Roof bound;                       ///< of this machine's GPU if it was measured, otherwise predicted
  bool measured = false;                       ///< whether `bound` was measured
  std::optional<measuring::Roof> predicted{};  ///< to compare a measured one with
  ValueType type = ValueType::F32;             ///< of the operations
};
/// Nothing if neither a measured nor a specified GPU is known.
[[nodiscard]] std::optional<Roofs> roofsOf(const AppState& state);

/// The tuning map's target on it, where nothing can be timed; `missing` says why.
[[nodiscard]] measuring::TuningTarget predictedTarget(const measuring::GpuSpec& gpu, std::string missing);

}  // namespace haloscope
