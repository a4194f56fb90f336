#include "FigureCommands.h"

#include <array>

#include "DiscretiseFigureCommand.h"

namespace haloscope {

namespace {

constexpr std::array kCommands = {
    FigureCommand{"shape", "The points that one output needs, with their coefficients, from the accesses",
                  addShapeFigure},
    FigureCommand{"discretise", "The sine at some points, its derivative by finite differences, and their errors",
                  addDiscretiseFigure},
    FigureCommand{"layout", "The elements that a point, or a warp, needs in the linear array, and their sectors",
                  addLayoutFigure},
    FigureCommand{"boundary", "Interior, halo and ghost cells of a block, and points that keep their value",
                  addBoundaryFigure},
};

}  // namespace

std::span<const FigureCommand> figureCommands() { return kCommands; }

}  // namespace haloscope
