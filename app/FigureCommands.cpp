#include "FigureCommands.h"

#include <array>

namespace haloscope {

namespace {

constexpr std::array<FigureCommand, 0> kCommands{};

}  // namespace

std::span<const FigureCommand> figureCommands() { return kCommands; }

}  // namespace haloscope
