#pragma once

#include <string>
#include <vector>

#include "questions/CellSets.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Cells of an array, of a block's threads or of a warp's lanes, some of them marked: in one row, or in rows and
/// columns; of three axes the plane in the middle. Ghost cells stand around the array.
struct CellPicture {
  const questions::CellSet& set;
  std::string caption{};              ///< what is marked
  std::vector<std::string> values{};  ///< written into the cells of one row; empty: none
};

/// Draws it, as wide as there is room. A sentence takes its place where it has too many cells.
void drawCells(const Theme& theme, const CellPicture& picture);

}  // namespace haloscope::ui
