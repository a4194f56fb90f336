#pragma once

#include "figures/StencilShape.h"

/// The small grid in which the layout of one point is shown.
namespace haloscope::figures {

/// The range of grid points per axis: fewer would not show sectors or fit the shape, more cells would be too small.
struct DrawnEdges {
  int smallest = 0, largest = 0;
};
[[nodiscard]] DrawnEdges drawnEdges(const StencilShape& shape);

/// The default computed point in a grid of `edge` points along each of `rank` axes. Off centre, since at the centre
/// both index orders would need the same elements.
[[nodiscard]] recording::GridPoint pointNextToMiddle(std::size_t rank, int edge);

}  // namespace haloscope::figures
