#include "figures/SmallGrid.h"

#include <algorithm>
#include <array>

namespace haloscope::figures {

namespace {

// By rank.
constexpr std::array<int, 4> kSmallestEdge = {0, 24, 8, 5};
constexpr std::array<int, 4> kLargestEdge = {0, 64, 24, 9};

}  // namespace

DrawnEdges drawnEdges(const StencilShape& shape) {
  const std::size_t rank = std::min<std::size_t>(shape.rank(), 3);
  const int largest = kLargestEdge.at(rank);
  // The shape fits around a point next to the centre, if the cells stay large enough.
  const int room = 2 * shape.order() + 3;
  return {std::min(std::max(room, kSmallestEdge.at(rank)), largest), largest};
}

recording::GridPoint pointNextToMiddle(std::size_t rank, int edge) {
  const std::int64_t middle = edge / 2;
  const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, edge - 1); };
  return {rank > 2 ? inside(middle - 1) : 0, rank > 1 ? inside(middle) : 0, inside(middle + 1)};
}

}  // namespace haloscope::figures
