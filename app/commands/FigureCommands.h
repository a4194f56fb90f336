#pragma once

#include <functional>
#include <span>

#include "commands/CommandLine.h"

namespace CLI {
class App;
}

namespace haloscope {

class Catalogue;

/// Prints a figure's numbers, as a table or as JSON. Throws SourceError, InputError and MissingError.
using FigureRun = std::function<ExitCode(const Catalogue&)>;

/// `haloscope figure NAME …`: what the figure of that name draws, in numbers.
struct FigureCommand {
  const char* name;  ///< the figure's id, see ui::figures()
  const char* help;
  FigureRun (*add)(CLI::App& command);  ///< gives the command its options; what it returns owns them
};

[[nodiscard]] std::span<const FigureCommand> figureCommands();

FigureRun addShapeFigure(CLI::App& command);
FigureRun addDiscretiseFigure(CLI::App& command);
FigureRun addLayoutFigure(CLI::App& command);
FigureRun addBoundaryFigure(CLI::App& command);
FigureRun addOpPerByteFigure(CLI::App& command);
FigureRun addConstantFigure(CLI::App& command);
FigureRun addTailFigure(CLI::App& command);
FigureRun addRegistersFigure(CLI::App& command);

}  // namespace haloscope
