#include "book/FigureKernel.h"

#include "options/KernelArguments.h"

namespace haloscope {

void FigureKernel::addTo(CLI::App& command, bool focused) {
  addTarget(command, id);
  addKernel(command, kernel);
  if (focused) { addBlock(command, block); }
  addJson(command, json);
}

void FigureKernel::addDataTo(CLI::App& command) { addData(command, kernel.data); }

std::shared_ptr<const experiment::Experiment> FigureKernel::run(const Catalogue& catalogue, bool countGrid) const {
  const ChosenKernel chosen = chosenKernel(catalogue, id, kernel);
  experiment::Choice choice = chosen.choice();
  if (!block.empty()) {
    choice.block = parseBlock(block, chosen.file.configuration(chosen.file.bind(chosen.bindings)).grid);
  }
  experiment::RunOptions options;
  options.countGrid = countGrid;
  return experiment::run(chosen.file, choice, options);
}

}  // namespace haloscope
