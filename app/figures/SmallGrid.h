#pragma once

#include "figures/StencilShape.h"

/// The small grid in which the layout of one point is shown.
namespace haloscope::figures {

/// Grid points along each axis between which it can be drawn: fewer would say nothing of sectors, or leave no room for
/// the shape; more cells could not be told apart.
struct DrawnEdges {
  int smallest = 0, largest = 0;
};
[[nodiscard]] DrawnEdges drawnEdges(const StencilShape& shape);

/// The point that is computed if nobody says, of a grid of `edge` points along each of `rank` axes. Beside the middle:
/// there both index orders would need the same elements.
[[nodiscard]] recording::GridPoint pointBesideMiddle(std::size_t rank, int edge);

}  // namespace haloscope::figures
