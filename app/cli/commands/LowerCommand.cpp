#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "catalogue/Catalogue.h"
#include "commands/Command.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "text/Print.h"

/// `haloscope lower`: the program that the emulator executes.
namespace haloscope {
namespace {

struct LowerOptions {
  std::string id;
  KnobOptions knobs;
};

CommandRun addLower(CLI::App& command) {
  const auto options = std::make_shared<LowerOptions>();
  command.add_option("ID", options->id, tr("Variant"))->required();
  addKnobs(command, options->knobs);
  return [options](const CommandContext& context) {
    const KernelFile& file = context.catalogue.at(options->id);
    printLines(print(experiment::compile(file, options->knobs.bindings(file))));
    return ExitCode::Good;
  };
}

}  // namespace

extern const Command lowerCommand{"lower", trMark("Print the lowered program of a variant"), addLower};

}  // namespace haloscope
