#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>

#include "book/Figure.h"
#include "commands/Command.h"
#include "language/Text.h"
#include "parts/FigureList.h"

/// `haloscope figure`: the numbers of one of the book's figures.
namespace haloscope {
namespace {

CommandRun addFigure(CLI::App& command) {
  command.require_subcommand(1);
  const auto chosen = std::make_shared<std::shared_ptr<const FigureCommand>>();
  for (std::size_t i = 0; i < figureParts().size(); ++i) {
    const Figure& figure = *figureParts()[i];
    CLI::App* added = command.add_subcommand(listedFigures()[i].id, tr(figure.help));
    const std::shared_ptr<FigureCommand> options = figure.command();
    options->addTo(*added);
    if (figure.forGpu) { options->gpu().addTo(*added); }
    added->callback([chosen, options] { *chosen = options; });
  }
  return [chosen](const CommandContext& context) {
    (*chosen)->print(context.catalogue);
    return ExitCode::Good;
  };
}

}  // namespace

extern const Command figureCommand{"figure", trMark("Print the numbers of one of the book's figures"), addFigure};

}  // namespace haloscope
