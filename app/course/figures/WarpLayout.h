#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "figures/GridLayout.h"
#include "figures/StencilShape.h"

/// The elements that the lanes of a warp need together, in the kernel's array.
namespace haloscope::figures {

/// The elements that the lanes of a warp need for one point of the shape.
struct WarpOperand {
  ShapePoint point;
  std::array<NeededElements, kIndexOrders.size()> needed;  ///< predicted, in each order of the indices
  /// Sectors of the warp's request for exactly these elements; empty if it makes no such request.
  std::optional<std::int64_t> executed;
};

struct WarpLayout {
  std::string reason;  ///< why there is nothing to show, a sentence; otherwise empty
  std::uint32_t warp = 0;
  std::vector<std::int64_t> extents;  ///< of the input, slowest axis first
  int elementBytes = 4;
  std::vector<recording::GridPoint> computed;  ///< one per lane that computes: the points of its first output
  std::vector<WarpOperand> operands;           ///< in the order of the shape's points
  std::array<NeededElements, kIndexOrders.size()> together;
  // Executed: this warp's loads of the input in the recorded block.
  std::int64_t requests = 0;
  std::int64_t sectors = 0;
  std::int64_t idealSectors = 0;
};

/// Requires a recording; `shape` is the experiment's shape.
[[nodiscard]] WarpLayout warpLayout(const experiment::Experiment& experiment, const StencilShape& shape,
                                    std::uint32_t warp);

}  // namespace haloscope::figures
