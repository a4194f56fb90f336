#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "commands/Command.h"
#include "commands/CompareOptions.h"
#include "experiment/ChosenArrays.h"
#include "experiment/TraceWords.h"
#include "figures/InteriorCount.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "options/OutputCell.h"
#include "state/ComparedBlock.h"
#include "state/Comparison.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope compare`: what the window says below variants side by side, in numbers. Steps are counted from 1.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using experiment::Experiment;

struct CompareCommandOptions {
  std::vector<std::string> ids;  ///< variants, or paths of .cu files; two to four
  KernelOptions kernel;          ///< of the first; the others take over what they share with it
  std::string cell;              ///< "I,J,K": an element of the output; empty: one of the first's middle block
  bool json = false;
};

struct Compared {
  std::string id;
  ComparedBlock block;
};

/// The cell that is asked for; without one, a cell in the middle of what the first variant's block writes.
CommonCell cellOf(const Experiment& experiment, const std::string& wanted) {
  const recording::Footprint& footprint = experiment.footprint;
  if (footprint.output == kNone || footprint.outputs.empty()) {
    const std::string nothing = figures::nothingComputed(experiment.file, experiment.bindings);
    throw InputError(experiment.file.id +
                     (nothing.empty() ? std::string(tr(": its middle block writes no array")) : ": " + nothing));
  }
  if (wanted.empty()) { return {footprint.outputs[footprint.outputs.size() / 2], footprint.outputExtents}; }
  const std::string& name = experiment.program->objects[footprint.output].name;
  return {parseCell(wanted, name, footprint.outputExtents), footprint.outputExtents};
}

double loadsPerOutput(const ComparedBlock& block) {
  const std::size_t outputs = block.experiment->footprint.outputs.size();
  return outputs == 0 ? 0 : static_cast<double>(block.tally.loads()) / static_cast<double>(outputs);
}

Json toJson(const Compared& compared) {
  const ComparedBlock& block = compared.block;
  if (block.experiment == nullptr) { return {{"id", compared.id}, {"problem", block.problem}}; }
  const Experiment& experiment = *block.experiment;
  Json json = {{"id", compared.id},
               {"bindings", bindingsToJson(experiment.file, experiment.bindings)},
               {"block", {experiment.block.x, experiment.block.y, experiment.block.z}},
               {"threads", experiment.recording->threadCount()},
               {"steps", experiment.recording->steps.size()},
               {"intervals", experiment.recording->intervals.size()},
               {"outputs", experiment.footprint.outputs.size()},
               {"global_loads", block.tally.loads()},
               {"loads_per_output", loadsPerOutput(block)},
               {"shared_bytes", experiment.counts.sharedBytesPerBlock},
               {"op_per_byte", experiment.opPerByte.interiorBlock}};
  const auto phases = cellPhases(block);
  const bool traced = block.trace != nullptr;
  json["operands_from_step"] = traced ? Json(phases[1].firstStep + 1) : Json(nullptr);
  json["operands_by_step"] = traced ? Json(phases[1].endStep) : Json(nullptr);
  json["written_at_step"] = traced ? Json(block.trace->trace.step + 1) : Json(nullptr);
  json["written_in_interval"] =
      traced ? Json(experiment.recording->steps[block.trace->trace.step].interval) : Json(nullptr);
  return json;
}

void print(const std::vector<Compared>& variants) {
  std::size_t widest = 7;
  for (const Compared& one : variants) { widest = std::max(widest, one.id.size()); }
  printText("{:<{}}{:>9}{:>10}{:>9}{:>9}{:>12}{:>9}{:>8}   {}\n", tr("variant"), widest, tr("threads"), tr("outputs"),
            tr("steps"), tr("loads"), tr("per output"), tr("shared"), "OP/B", tr("the cell"));
  for (const Compared& one : variants) {
    if (one.block.experiment == nullptr) {
      printText("{:<{}}  {}\n", one.id, widest, one.block.problem);
      continue;
    }
    const Experiment& experiment = *one.block.experiment;
    std::string cell = tr("could not be traced");
    if (one.block.trace != nullptr) {
      const std::uint32_t step = one.block.trace->trace.step;
      cell = trf("written at step {}, in interval {} (0 to {})", step + 1, experiment.recording->steps[step].interval,
                 experiment.recording->intervals.size() - 1);
    }
    printText("{:<{}}{:>9}{:>10}{:>9}{:>9}{:>12.3g}{:>9}{:>8.3g}   {}\n", one.id, widest,
              experiment.recording->threadCount(), experiment.footprint.outputs.size(),
              experiment.recording->steps.size(), one.block.tally.loads(), loadsPerOutput(one.block),
              experiment.counts.sharedBytesPerBlock, experiment.opPerByte.interiorBlock, cell);
  }
}

/// The exit status is BadInput if one of the variants has no block that computes the cell.
ExitCode compare(Catalogue catalogue, const CompareCommandOptions& options) {
  if (options.ids.size() < 2) { throw InputError(tr("compare: name at least two variants")); }
  const ChosenKernel first = chosenKernel(catalogue, options.ids.front(), options.kernel);
  const std::vector<KernelFile> others =
      kernelsToCompare(catalogue, first.file, {options.ids.begin() + 1, options.ids.end()}, options.kernel.program);
  opening::Request request = requestOf(first.file, first.choice());
  const auto own = experiment::run(request.file, request.choice);
  const CommonCell cell = cellOf(*own, options.cell);

  std::vector<Compared> variants;
  variants.push_back({first.file.id, compareBlock({std::move(request), own}, cell)});
  for (const KernelFile& file : others) {
    Bindings bindings = experiment::carryOver(own->bindings, file);
    if (const auto& size = options.kernel.knobs.size) {  // sizes may have another name here
      for (const SizeParameter& parameter : file.sizes) { bindings[parameter.name] = *size; }
    }
    experiment::Choice choice{file.id, std::move(bindings)};
    choice.data = experiment::carryOver(first.data, file, file.bind(choice.bindings));
    if (choice.data != first.data) {
      trPrint(stderr, "haloscope: note: {} has other arrays; what --data says of them is left out\n", file.id);
    }
    variants.push_back({file.id, compareBlock({requestOf(file, std::move(choice)), nullptr}, cell)});
  }
  const std::string name =
      recording::formatElement(own->program->objects[own->footprint.output].name, cell.extents, cell.element);
  bool good = true;
  Json list = Json::array();
  for (const Compared& one : variants) {
    good = good && one.block.experiment != nullptr;
    list.push_back(toJson(one));
  }
  if (options.json) {
    printJson(Json{{"cell", name}, {"data", dataToJson(first.data)}, {"variants", std::move(list)}});
  } else {
    trPrint("{}: the block of each variant that computes it\n", name);
    print(variants);
  }
  return good ? ExitCode::Good : ExitCode::BadInput;
}

CommandRun addCompare(CLI::App& command) {
  const auto options = std::make_shared<CompareCommandOptions>();
  command.add_option("ID", options->ids, tr("Variants, or .cu files"))->required();
  addOutputCell(command, options->cell, tr("Element of the output array: I,J,K, slowest axis first"));
  addKernel(command, options->kernel, tr("Which kernel of the first file"));
  addData(command, options->kernel.data);
  addJson(command, options->json);
  return [options](const CommandContext& context) { return compare(context.catalogue, *options); };
}

}  // namespace

extern const Command compareCommand{
    "compare", trMark("Compare the blocks of up to four variants that compute one output cell"), addCompare};

}  // namespace haloscope
