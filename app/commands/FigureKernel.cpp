#include "commands/FigureKernel.h"

#include <CLI/CLI.hpp>

#include "commands/KernelArguments.h"
#include "experiment/Experiment.h"

namespace haloscope {

void FigureKernel::addTo(CLI::App& command, bool focused) {
  command.add_option("ID", id, "Variant, or a .cu file")->required();
  addKernel(command, kernel, "Which kernel of the file");
  if (focused) { addBlock(command, block); }
  command.add_flag("--json", json, "Print one JSON document");
}

std::shared_ptr<const experiment::Experiment> FigureKernel::run(const Catalogue& catalogue, bool countGrid) const {
  const ChosenKernel chosen = chosenKernel(catalogue, id, kernel);
  experiment::Choice choice{chosen.file.id, chosen.bindings, std::nullopt};
  if (!block.empty()) {
    choice.block = parseBlock(block, chosen.file.configuration(chosen.file.bind(chosen.bindings)).grid);
  }
  experiment::RunOptions options;
  options.countGrid = countGrid;
  return experiment::run(chosen.file, choice, options);
}

}  // namespace haloscope
