#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "Commands.h"
#include "analysis/OutputTrace.h"
#include "analysis/Recorder.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/TraceWords.h"
#include "recording/BlockView.h"

/// `haloscope trace`: where an output element's value came from. Steps are counted as `haloscope render --step` does:
/// step 1 is the block's first.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using analysis::Hop;
using analysis::Operand;
using analysis::OutputTrace;

/// "I,J,K", slowest axis first, as an element of an array. Throws InputError.
std::int64_t parseCell(const std::string& text, const std::string& name, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> indices;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at <= end) {
    std::int64_t index = 0;
    const auto [after, error] = std::from_chars(at, end, index);
    if (error != std::errc() || (after != end && *after != ',')) {
      throw InputError(fmt::format("--output-cell {}: write I,J,K", text));
    }
    indices.push_back(index);
    at = after + 1;
  }
  if (indices.size() != extents.size()) {
    throw InputError(fmt::format("--output-cell {}: {} has {} axes", text, name, extents.size()));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (indices[axis] < 0 || indices[axis] >= extents[axis]) {
      throw InputError(fmt::format("--output-cell {}: axis {} of {} has {} points", text, axis, name, extents[axis]));
    }
    element = element * extents[axis] + indices[axis];
  }
  return element;
}

Json toJson(const experiment::TraceWords& words, const Operand& operand) {
  Json hops = Json::array();
  for (const Hop& hop : operand.hops) {
    hops.push_back({{"place", words.place(hop)},
                    {"thread", hop.thread},
                    {"step", hop.step + 1},
                    {"line", words.line(hop.statement)}});
  }
  return {{"operand", words.operand(operand)},
          {"element", operand.object == kNone ? Json(nullptr) : Json(operand.element)},
          {"value", recording::formatExact(operand.type, operand.bits)},
          {"role", words.role(operand)},
          {"loaded_by", operand.loadedBy},
          {"loaded_at", operand.loadedAt + 1},
          {"hops", std::move(hops)},
          {"used_by", operand.usedBy},
          {"used_at", operand.usedAt + 1},
          {"used_line", words.line(operand.usedIn)}};
}

std::string sentence(const experiment::TraceWords& words, const Operand& operand) {
  std::string text = fmt::format("  {:<18} = {:<12} {:<14}", words.operand(operand),
                                 recording::formatValue(operand.type, operand.bits), words.role(operand));
  if (operand.kind == Operand::Kind::Element || operand.kind == Operand::Kind::Constant) {
    text += fmt::format("loaded by thread {} at step {} → ", words.thread(operand.loadedBy), operand.loadedAt + 1);
  }
  for (const Hop& hop : operand.hops) {
    text += words.place(hop);
    if (hop.step != operand.loadedAt) { text += fmt::format(" at step {}", hop.step + 1); }
    text += " → ";
  }
  return text + fmt::format("used at step {}, line {}", operand.usedAt + 1, words.line(operand.usedIn));
}

}  // namespace

ExitCode traceCommand(const Catalogue& catalogue, const std::string& id, const KnobOptions& knobs,
                      const std::string& cell, bool json) {
  const KernelFile& file = catalogue.at(id);
  if (!file.computes) { throw InputError(id + ": its header does not say which array it computes"); }
  experiment::RunOptions options;
  options.record = false;
  options.countGrid = false;
  const auto experiment =
      experiment::run(catalogue, {.kernel = id, .bindings = knobs.bindings(file), .block = {}}, options);
  const Program& program = *experiment->program;
  const Launch& launch = *experiment->launch;
  const ObjectId output = program.findObject(file.computes->output);
  if (output == kNone) { throw InputError(id + ": there is no array " + file.computes->output); }
  const std::int64_t element = parseCell(cell, program.objects[output].name, launch.arrays[output].extents);
  const auto block = analysis::blockWriting(program, launch, output, element);
  if (!block) { throw InputError(fmt::format("--output-cell {}: no thread writes this element", cell)); }
  const auto trace = analysis::traceOutput(program, launch, *block, output, element);
  if (!trace) { throw InputError(fmt::format("--output-cell {}: its value could not be followed", cell)); }

  const auto recording = analysis::record(experiment->program, launch, *block);
  const recording::Footprint footprint = recording::findFootprint(*recording);
  const experiment::TraceWords words(*recording, footprint);
  const ValueType type = program.objects[output].element;
  if (json) {
    Json operands = Json::array();
    for (const Operand& operand : trace->operands) { operands.push_back(toJson(words, operand)); }
    const Json document = {{"kernel", id},
                           {"output", words.element(output, element)},
                           {"value", recording::formatExact(type, trace->bits)},
                           {"block", {block->x, block->y, block->z}},
                           {"thread", trace->thread},
                           {"step", trace->step + 1},
                           {"line", words.line(trace->statement)},
                           {"operands", std::move(operands)}};
    std::cout << document.dump(2) << '\n';
    return ExitCode::Good;
  }
  fmt::print("{} = {}, written by thread {} of block ({},{},{}) at step {}, line {}\n", words.element(output, element),
             recording::formatValue(type, trace->bits), words.thread(trace->thread), block->x, block->y, block->z,
             trace->step + 1, words.line(trace->statement));
  for (const Operand& operand : trace->operands) { fmt::print("{}\n", sentence(words, operand)); }
  return ExitCode::Good;
}

}  // namespace haloscope
