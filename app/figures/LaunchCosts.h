#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"

namespace haloscope::figures {

/// What a launch costs, as counted while it was executed: the numbers that a tile size moves.
struct LaunchCosts {
  std::string id;     ///< of the variant
  Bindings bindings;  ///< complete
  /// Of an interior block's loaded input points, those outside its output tile; empty if input and output are not
  /// known.
  std::optional<double> halo{};
  double loadsPerOutput = 0;     ///< elements of global memory, whole grid; 0: nothing was stored
  double opPerByte = 0;          ///< of an interior block, loads only; 0: there is none
  std::int64_t sharedBytes = 0;  ///< of a block
  bool operator==(const LaunchCosts&) const = default;
};

/// Empty if the whole grid was not executed to its end.
[[nodiscard]] std::optional<LaunchCosts> launchCosts(const experiment::Experiment& experiment);

}  // namespace haloscope::figures
