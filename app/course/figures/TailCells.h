#pragma once

#include <cstdint>
#include <vector>

#include "figures/LaunchTail.h"

/// The blocks of a grid as drawn: grouped into a limited number of cells along x and y.
namespace haloscope::figures {

inline constexpr std::uint32_t kMostTailColumns = 128, kMostTailRows = 48;

/// Cells of one block each, or of several if there are more blocks than cells.
struct TailCells {
  std::uint32_t columns = 0, rows = 0, planes = 0;
  std::uint32_t blocksAlongX = 1, blocksAlongY = 1;  ///< per cell; the last cell along an axis may have fewer
  std::vector<BlockGroup> cells;                     ///< x fastest, then y
  std::uint64_t blocksWithoutWork = 0;               ///< in the grid

  [[nodiscard]] const BlockGroup& at(std::uint32_t column, std::uint32_t row, std::uint32_t plane) const {
    return cells[(std::uint64_t{plane} * rows + row) * columns + column];
  }
  /// Whether a cell is more than one block.
  [[nodiscard]] bool together() const { return blocksAlongX > 1 || blocksAlongY > 1; }
};
/// Without cells if nothing was executed.
[[nodiscard]] TailCells tailCells(const LaunchTail& tail);

}  // namespace haloscope::figures
