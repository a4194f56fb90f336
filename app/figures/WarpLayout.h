#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "figures/GridLayout.h"
#include "figures/StencilShape.h"

/// What the lanes of a warp need together, in the kernel's own array.
namespace haloscope::figures {

/// The elements that the lanes of a warp need for one point of the shape.
struct WarpOperand {
  ShapePoint point;
  std::array<NeededElements, kIndexOrders.size()> needed;  ///< predicted, in each order of the indices
  /// Sectors of the warp's own request for exactly these elements; none where it makes no such request.
  std::optional<std::int64_t> executed;
};

struct WarpLayout {
  std::string reason;  ///< why there is nothing to show, a sentence; empty: there is
  std::uint32_t warp = 0;
  std::vector<std::int64_t> extents;  ///< of the input, slowest axis first
  int elementBytes = 4;
  std::vector<recording::GridPoint> computed;  ///< one per lane that computes: the points of its first output
  std::vector<WarpOperand> operands;           ///< in the order of the shape's points
  std::array<NeededElements, kIndexOrders.size()> together;
  // Executed: what this warp loads of the input in the recorded block.
  std::int64_t requests = 0;
  std::int64_t sectors = 0;
  std::int64_t idealSectors = 0;
};

/// The experiment has a recording, and `shape` is its shape.
[[nodiscard]] WarpLayout warpLayout(const experiment::Experiment& experiment, const StencilShape& shape,
                                    std::uint32_t warp);

}  // namespace haloscope::figures
