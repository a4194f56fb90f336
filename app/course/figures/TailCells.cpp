#include "figures/TailCells.h"

namespace haloscope::figures {

TailCells tailCells(const LaunchTail& tail) {
  TailCells made;
  if (!tail.executed) { return made; }
  const Dim3& grid = tail.configuration.grid;
  made.blocksAlongX = (grid.x + kMostTailColumns - 1) / kMostTailColumns;
  made.blocksAlongY = (grid.y + kMostTailRows - 1) / kMostTailRows;
  made.columns = (grid.x + made.blocksAlongX - 1) / made.blocksAlongX;
  made.rows = (grid.y + made.blocksAlongY - 1) / made.blocksAlongY;
  made.planes = grid.z;
  made.cells.reserve(std::uint64_t{made.columns} * made.rows * made.planes);
  for (std::uint32_t plane = 0; plane < made.planes; ++plane) {
    for (std::uint32_t row = 0; row < made.rows; ++row) {
      for (std::uint32_t column = 0; column < made.columns; ++column) {
        made.cells.push_back(tail.together({column * made.blocksAlongX, row * made.blocksAlongY, plane},
                                           {made.blocksAlongX, made.blocksAlongY, 1}));
        made.blocksWithoutWork += made.cells.back().blocksWithoutWork;
      }
    }
  }
  return made;
}

}  // namespace haloscope::figures
