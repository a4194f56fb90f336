#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands/Command.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"
#include "questions/Quantities.h"
#include "questions/Questions.h"
#include "questions/SourceLines.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope ask`: quantities of a kernel by name, from executing it.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using questions::Answer;
using questions::AnswerKind;
using questions::Origin;

struct AskOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  std::vector<std::string> queries;
  KernelOptions kernel;
  std::string block;
  bool list = false, json = false;
};

ExitCode listNames(bool json) {
  Json names = Json::array();
  const auto add = [&](const std::string& name, const char* kind, questions::Origin origin, const char* meaning) {
    names.push_back({{"name", name}, {"kind", kind}, {"from", questions::name(origin)}, {"meaning", tr(meaning)}});
  };
  for (const questions::Quantity& one : questions::quantities()) { add(one.name, "number", one.origin, one.meaning); }
  add("value(ARRAY, i[, j[, k]])", "number", Origin::Executed,
      trMark("an element after the launch; indices as in the text"));
  add("elements(ARRAY)", "number", Origin::Launch, trMark("elements of an array"));
  add("extent(ARRAY, axis)", "number", Origin::Launch, trMark("points along an axis, 0 the slowest"));
  add("bytes(ARRAY)", "number", Origin::Launch, trMark("bytes of an array"));
  add("count(SET)", "number", Origin::Executed, trMark("cells of one of the sets below"));
  add("times(TEXT)", "number", Origin::Executed,
      trMark("how often thread 0 of the chosen block executes the line that contains TEXT"));
  add("recorded(CLASS, VARIANT, FIELD)", "number", Origin::Recorded,
      trMark("measured on an H200, at the default tile where that was recorded, otherwise at the best one"));
  add("gpu(NAME, FIELD)", "number", Origin::DataSheet, trMark("a number of assets/gpus.json"));
  for (const questions::NamedSet& one : questions::namedSets()) {
    add(std::string(one.name) + one.arguments, "cells", Origin::Executed, one.meaning);
  }
  for (const questions::NamedLines& one : questions::namedLines()) { add(one.name, "line", one.origin, one.meaning); }
  if (json) {
    printJson(names);
    return ExitCode::Good;
  }
  for (const Json& one : names) {
    printText("{:<28} {:<7} {:<10} {}\n", one["name"].get<std::string>(), one["kind"].get<std::string>(),
              one["from"].get<std::string>(), one["meaning"].get<std::string>());
  }
  return ExitCode::Good;
}

Json answerToJson(const std::string& query, const Answer& answer) {
  switch (answer.kind) {
    case AnswerKind::Lines:
      return {{"query", query}, {"kind", "line"}, {"lines", answer.lines}};
    case AnswerKind::Cells: {
      Json cells = Json::array();
      for (const recording::GridPoint& cell : answer.cells.cells) {
        cells.push_back(questions::cellText(answer.cells, cell));
      }
      return {{"query", query}, {"kind", "cells"}, {"count", answer.cells.cells.size()}, {"cells", cells}};
    }
    case AnswerKind::Number:
      break;
  }
  return {{"query", query}, {"kind", "number"}, {"value", answer.number}};
}

std::string answerText(const KernelFile& file, const Answer& answer) {
  std::vector<std::string> parts;
  switch (answer.kind) {
    case AnswerKind::Lines:
      for (const int line : answer.lines) { parts.push_back(fmt::format("{}:{}", file.path.string(), line)); }
      break;
    case AnswerKind::Cells: {
      for (const recording::GridPoint& cell : answer.cells.cells) {
        parts.push_back(questions::cellText(answer.cells, cell));
      }
      return fmt::format("{}: {}", parts.size(), fmt::join(parts, " "));
    }
    case AnswerKind::Number:
      return questions::numberText(answer.number);
  }
  return parts.empty() ? tr("no line") : fmt::format("{}", fmt::join(parts, " "));
}

ExitCode ask(const Catalogue& catalogue, const AskOptions& options) {
  if (options.list) { return listNames(options.json); }
  if (options.id.empty() || options.queries.empty()) {
    throw InputError(
        tr("write a variant and at least one expression: haloscope ask stencil/tiled block.loads "
           "\"threads - block.outputs\"; --list names the quantities"));
  }
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  const KernelFile& file = chosen.file;
  experiment::Choice choice = chosen.choice();
  if (!options.block.empty()) {
    choice.block = parseBlock(options.block, file.configuration(file.bind(choice.bindings)).grid);
  }
  questions::Execution execution(file, choice);
  Json answers = Json::array();
  for (const std::string& query : options.queries) {
    const Answer answer = questions::answer(query, execution);
    if (options.json) {
      Json one = answerToJson(query, answer);
      one["from"] = questions::names(answer.origins);
      answers.push_back(std::move(one));
    } else {
      printText("{} = {}   ({})\n", query, answerText(file, answer), questions::label(answer.origins));
    }
  }
  if (options.json) {
    const Json document = {
        {"kernel", options.id}, {"bindings", bindingsToJson(file, execution.bindings())}, {"answers", answers}};
    printJson(document);
  }
  return ExitCode::Good;
}

CommandRun addAsk(CLI::App& command) {
  const auto options = std::make_shared<AskOptions>();
  command.add_option("ID", options->id, tr("A variant, or the path of a .cu file"));
  command.add_option("EXPR", options->queries, tr("Quantities, calculations with them, sets of cells, source lines"));
  addKernel(command, options->kernel);
  addBlock(command, options->block);
  command.add_flag("--list", options->list, tr("Name all quantities, sets and lines"));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return ask(context.catalogue, *options); };
}

}  // namespace

extern const Command askCommand{"ask", trMark("Ask for quantities of a kernel by name, found by executing it"), addAsk};

}  // namespace haloscope
