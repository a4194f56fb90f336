#include "commands/FigureCommands.h"

#include <array>

namespace haloscope {

namespace {

constexpr std::array kCommands = {
    FigureCommand{"shape", "The points that one output needs, with their coefficients, from the accesses",
                  addShapeFigure},
    FigureCommand{"discretise", "The sine at some points, its derivative by finite differences, and their errors",
                  addDiscretiseFigure},
    FigureCommand{"opb", "Operations per byte over a tile size or radius, by formula and executed, with their bounds",
                  addOpPerByteFigure},
    FigureCommand{"constant", "What a kernel keeps in constant memory, and how many passes reading it takes",
                  addConstantFigure},
    FigureCommand{"layout", "The elements that a point, or a warp, needs in the linear array, and their sectors",
                  addLayoutFigure},
    FigureCommand{"tail", "Blocks, warps and threads without work where blocks do not divide the domain",
                  addTailFigure},
    FigureCommand{"registers", "Registers, shared memory, spills and occupancy, as the compiler has them",
                  addRegistersFigure},
    FigureCommand{"boundary", "Interior, halo and ghost cells of a block, and points that keep their value",
                  addBoundaryFigure},
};

}  // namespace

std::span<const FigureCommand> figureCommands() { return kCommands; }

}  // namespace haloscope
