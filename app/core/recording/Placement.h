#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "recording/BlockState.h"
#include "recording/BlockView.h"

namespace haloscope::recording {

/// An affine map from the index of an array (or the number of a thread) to grid points: the index is split into three
/// digits, and each digit moves the point along its own direction.
struct Placement {
  std::array<std::int64_t, 2> strides{1, 1};  ///< index steps between the slowest, and between the middle digits
  std::array<GridPoint, 3> directions{};      ///< of the slowest digit first
  GridPoint offset;                           ///< grid point of index 0

  [[nodiscard]] GridPoint at(std::int64_t index) const;
};

/// The grid point a cell holds a copy of, if it holds one.
struct KnownPoint {
  bool known = false;
  GridPoint at;
};

/// Fits a placement to cells of which some hold copies of input points: more than half of those must lie on it.
/// `points` has one entry per cell; `inputExtents` is the shape of the input.
/// First the array's own `extents` are tried; an array that is indexed by hand (`tile[ty * W + tx]`) is split by the
/// strides that its contents show.
[[nodiscard]] std::optional<Placement> fitPlacement(const std::vector<std::int64_t>& extents,
                                                    const std::vector<KnownPoint>& points,
                                                    const std::vector<std::int64_t>& inputExtents);

}  // namespace haloscope::recording
