#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "commands/Command.h"
#include "experiment/Experiment.h"
#include "experiment/TraceWords.h"
#include "experiment/TracedOutput.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "options/OutputCell.h"
#include "provenance/OutputTrace.h"
#include "recording/BlockView.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope trace`: where an output element's value came from. Steps are counted as `haloscope render --step` does:
/// step 1 is the block's first.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using experiment::TracedOutput;
using experiment::TraceWords;
using provenance::Hop;
using provenance::Operand;
using provenance::OperandPlace;
using provenance::Term;

struct TraceOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  ScheduleOptions schedule;
  std::string cell;  ///< "I,J,K", slowest axis first
  bool json = false;
};

Json planeJson(const TraceWords& words, std::uint32_t step) {
  const std::string plane = words.plane(step);
  return plane.empty() ? Json(nullptr) : Json(plane);
}

Json toJson(const TraceWords& words, const Operand& operand, const OperandPlace& place) {
  Json hops = Json::array();
  for (const Hop& hop : operand.hops) {
    hops.push_back({{"place", words.place(hop)},
                    {"thread", hop.thread},
                    {"step", hop.step + 1},
                    {"interval", words.interval(hop.step)},
                    {"plane", planeJson(words, hop.step)},
                    {"line", words.line(hop.statement)}});
  }
  const std::string fault = words.fault(operand, place);
  return {{"operand", words.operand(operand, place)},
          {"element", operand.object == kNone ? Json(nullptr) : Json(operand.element)},
          {"value", recording::formatExact(operand.type, operand.bits)},
          {"role", provenance::name(place.role)},
          {"grid_point", place.at ? Json({place.at->z, place.at->y, place.at->x}) : Json(nullptr)},
          {"fault", fault.empty() ? Json(nullptr) : Json(fault)},
          {"loaded_by", operand.loadedBy},
          {"loaded_at", operand.loadedAt + 1},
          {"loaded_interval", words.interval(operand.loadedAt)},
          {"loaded_plane", planeJson(words, operand.loadedAt)},
          {"loaded_line", words.line(operand.loadedIn)},
          {"hops", std::move(hops)},
          {"used_by", operand.usedBy},
          {"used_at", operand.usedAt + 1},
          {"used_line", words.line(operand.usedIn)}};
}

Json toJson(const Term& term, ValueType type) {
  return {{"sign", term.negative ? "-" : "+"},
          {"coefficient", term.coefficient ? Json(*term.coefficient) : Json(nullptr)},
          {"value", term.value ? Json(*term.value) : Json(nullptr)},
          {"operands", term.operands},
          {"contribution", recording::formatExact(type, term.bits)},
          {"fused", term.fused}};
}

std::string sentence(const TraceWords& words, const Operand& operand, const OperandPlace& place) {
  std::string text = fmt::format("  {:<18} = {:<12} {:<14}", words.operand(operand, place),
                                 recording::formatValue(operand.type, operand.bits), tr(provenance::name(place.role)));
  if (operand.kind != Operand::Kind::Literal) {
    text += trf("loaded by thread {} at step {} → ", words.thread(operand.loadedBy), operand.loadedAt + 1);
  } else if (place.role == provenance::OperandRole::Ghost) {
    text += trf("written by thread {} at step {} → ", words.thread(operand.loadedBy), operand.loadedAt + 1);
  }
  for (const Hop& hop : operand.hops) {
    text += words.place(hop);
    if (hop.step != operand.loadedAt) { text += trf(" at step {}", hop.step + 1); }
    text += " → ";
  }
  text += trf("used at step {}, line {}", operand.usedAt + 1, words.line(operand.usedIn));
  const std::string fault = words.fault(operand, place);
  return fault.empty() ? text : text + ": " + fault;
}

Json toJson(const experiment::Experiment& experiment, const TraceWords& words, const TracedOutput& traced) {
  const provenance::OutputTrace& trace = traced.trace;
  Json operands = Json::array();
  for (std::size_t i = 0; i < trace.operands.size(); ++i) {
    operands.push_back(toJson(words, trace.operands[i], traced.places[i]));
  }
  Json terms = Json::array();
  for (const Term& term : traced.sum.terms) { terms.push_back(toJson(term, traced.sum.type)); }
  const Dim3& block = experiment.block;
  return {{"kernel", experiment.file.id},
          {"data", dataToJson(experiment.choice.data)},
          {"program_data", programDataToJson(experiment)},
          {"output", words.element(trace.object, trace.element)},
          {"value", recording::formatExact(experiment.program->objects[trace.object].element, trace.bits)},
          {"block", {block.x, block.y, block.z}},
          {"thread", trace.thread},
          {"step", trace.step + 1},
          {"interval", words.interval(trace.step)},
          {"plane", planeJson(words, trace.step)},
          {"line", words.line(trace.statement)},
          {"operands", std::move(operands)},
          {"terms", std::move(terms)},
          {"terms_add_up", traced.sum.exact}};
}

ExitCode trace(const Catalogue& catalogue, const TraceOptions& options) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  experiment::Choice choice = chosen.choice();
  options.schedule.apply(choice);
  options.schedule.expectBarriers(experiment::compile(chosen.file, chosen.file.bind(choice.bindings)));
  const auto [experiment, element] = experimentWriting(chosen.file, choice, options.cell);
  const auto traced = experiment::traceOutput(*experiment, element);
  if (!traced) { throw InputError(trf("--output-cell {}: its value could not be traced", options.cell)); }

  const provenance::OutputTrace& trace = traced->trace;
  const TraceWords words(*experiment->recording, experiment->footprint);
  if (options.json) {
    printJson(toJson(*experiment, words, *traced));
    return ExitCode::Good;
  }
  const Dim3& block = experiment->block;
  trPrint("{} = {}, written by thread {} of block ({},{},{}) at {}, line {}\n",
          words.element(trace.object, trace.element),
          words.value(experiment->program->objects[trace.object].element, trace.bits), words.thread(trace.thread),
          block.x, block.y, block.z, words.when(trace.step), words.line(trace.statement));
  for (std::size_t i = 0; i < trace.operands.size(); ++i) {
    printText("{}\n", sentence(words, trace.operands[i], traced->places[i]));
  }
  return ExitCode::Good;
}

CommandRun addTrace(CLI::App& command) {
  const auto options = std::make_shared<TraceOptions>();
  addTarget(command, options->id);
  addOutputCell(command, options->cell, tr("Element of the output array: I,J,K, slowest axis first"))->required();
  addKernel(command, options->kernel);
  addData(command, options->kernel.data);
  addSchedule(command, options->schedule);
  addJson(command, options->json);
  return [options](const CommandContext& context) { return trace(context.catalogue, *options); };
}

}  // namespace

extern const Command traceCommand{"trace", trMark("Show where the value of an output element came from"), addTrace};

}  // namespace haloscope
