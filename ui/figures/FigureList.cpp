#include "ui/figures/FigureList.h"

#include <algorithm>
#include <array>

namespace haloscope::ui {

namespace {

constexpr std::array kFigures = {
    Figure{"shape", "shape", "The points that one output needs, with their coefficients (PMPP 8.1)", drawShapeFigure,
           true},
    Figure{"discretise", "discretise",
           "A function known at some points, its derivative by finite differences, and their error (PMPP 8.1)",
           drawDiscretiseFigure, true},
    Figure{"opb", "OP/B", "Operations per byte over tile size and radius, with their bounds (PMPP 7.4, 8.3)",
           drawOpPerByteFigure, true},
    Figure{"constant", "constant", "What lies in constant memory, and when one broadcast serves a warp (PMPP 7.3)",
           drawConstantFigure},
    Figure{"layout", "layout", "The elements that a point or a warp needs in the linear array, and their sectors",
           drawLayoutFigure, true},
    Figure{"tail", "tail", "Blocks and lanes without work where blocks do not divide the domain", drawTailFigure, true},
    Figure{"registers", "registers", "Registers, shared memory and occupancy, as the compiler has them (PMPP 8.5)",
           drawRegistersFigure, true},
    Figure{"boundary", "boundary", "Halo cells, ghost cells and points that keep their value (PMPP 7.4, 8.2)",
           drawBoundaryFigure, true},
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

const Figure& figureOf(std::string_view id) {
  const auto found = std::ranges::find(kFigures, id, &Figure::id);
  return found != kFigures.end() ? *found : kFigures.front();
}

const Figure& neighbourFigure(std::string_view id, int by) {
  const auto count = static_cast<int>(kFigures.size());
  const auto at = static_cast<int>(&figureOf(id) - kFigures.data());
  return kFigures.at(static_cast<std::size_t>(((at + by) % count + count) % count));
}

std::vector<std::string> figureIds() {
  std::vector<std::string> ids;
  for (const Figure& figure : kFigures) { ids.emplace_back(figure.id); }
  return ids;
}

}  // namespace haloscope::ui
