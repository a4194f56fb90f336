#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"

namespace haloscope::figures {

/// The ends of the logarithmic scale on which operations per byte are shown, everywhere the same: two of them can be
/// compared wherever they stand, and whatever was shown before.
inline constexpr double kLeastOpPerByte = 0.1, kMostOpPerByte = 100;
/// Its place on that scale, 0…1.
[[nodiscard]] float opPerBytePlace(double value);

/// What a launch costs: the numbers that a tile size moves.
struct LaunchCosts {
  std::string id, text;  ///< of the variant
  Bindings bindings;     ///< complete
  Bindings interior;     ///< sizes at which an interior block was executed; larger if this grid has none
  /// Counted: of an interior block's loaded input points, those outside its output tile; empty if input and output are
  /// not known.
  std::optional<double> halo{};
  /// Counted: elements of global memory, by an interior block, by the whole grid where there is none; 0: nothing was
  /// stored.
  double loadsPerOutput = 0;
  double opPerByte = 0;          ///< counted: of an interior block, loads only; 0: there is none
  std::int64_t sharedBytes = 0;  ///< of a block: declared, and given at the launch
  bool operator==(const LaunchCosts&) const = default;
};

/// Empty if the whole grid was not executed to its end.
[[nodiscard]] std::optional<LaunchCosts> launchCosts(const experiment::Experiment& experiment);

}  // namespace haloscope::figures
