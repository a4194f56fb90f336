#include "FigureCommands.h"

#include <array>

#include "DiscretiseFigureCommand.h"

namespace haloscope {

namespace {

constexpr std::array kCommands = {
    FigureCommand{"discretise", "The sine at some points, its derivative by finite differences, and their errors",
                  addDiscretiseFigure},
};

}  // namespace

std::span<const FigureCommand> figureCommands() { return kCommands; }

}  // namespace haloscope
