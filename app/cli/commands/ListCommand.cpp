#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "catalogue/BookSection.h"
#include "catalogue/Catalogue.h"
#include "catalogue/Climb.h"
#include "commands/Command.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "text/Print.h"

/// `haloscope list`: the variants, with their sizes and tunables.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;

template <typename Knob>
Json knobsToJson(const std::vector<Knob>& knobs) {
  Json list = Json::array();
  for (const Knob& knob : knobs) {
    list.push_back({{"name", knob.name},
                    {"min", knob.minimum},
                    {"max", knob.maximum},
                    {"default", knob.defaultValue},
                    {"meaning", knob.meaning}});
  }
  return list;
}

Json precisionToJson(const KernelFile& file) {
  if (!file.precision) { return nullptr; }
  Json types = Json::array();
  for (const ValueType type : file.precision->types) { types.push_back(realTypeName(type)); }
  return {{"macro", file.precision->macro}, {"types", types}};
}

template <typename Knob>
void printKnobs(const std::vector<Knob>& knobs) {
  for (const Knob& knob : knobs) {
    trPrint("  {:<36}{} {}…{}, default {}: {}\n", "", knob.name, knob.minimum, knob.maximum, knob.defaultValue,
            tr(knob.meaning));
  }
}

Json textsOf(const std::vector<Expression>& expressions) {
  Json list = Json::array();
  for (const Expression& expression : expressions) { list.push_back(expression.text()); }
  return list;
}

ExitCode list(const Catalogue& catalogue, bool json) {
  if (json) {
    Json list = Json::array();
    for (const KernelFile& file : catalogue.kernels()) {
      list.push_back({{"id", file.id},
                      {"chapter", file.chapter},
                      {"section", sectionOf(file.book)},
                      {"title", file.title},
                      {"source", file.path.string()},
                      {"book", file.book},
                      {"idea", file.idea},
                      {"extends", file.extends.empty() ? Json(nullptr) : Json(file.extends)},
                      {"climb", file.climb.empty() ? Json(nullptr) : Json(file.climb)},
                      {"tunables", knobsToJson(file.tunables)},
                      {"sizes", knobsToJson(file.sizes)},
                      {"precision", precisionToJson(file)},
                      {"requires", textsOf(file.conditions)},
                      {"formula", file.opPerByte ? Json(file.opPerByte->text()) : Json(nullptr)}});
    }
    printJson(list);
    return ExitCode::Good;
  }
  for (const BookSection& section : bookSections(catalogue)) {
    printText("{}, {}\n", tr(section.chapter), shownHeading(section));
    for (const KernelFile* file : section.variants) {
      printText("  {:<34}{}\n", file->id, tr(file->title));
      printText("  {:<34}{}\n", "", tr(file->idea));
      printKnobs(file->sizes);
      printKnobs(file->tunables);
      for (const Expression& condition : file->conditions) { trPrint("  {:<36}needs {}\n", "", condition.text()); }
      if (file->precision) { printText("  {:<36}{}: {}\n", "", file->precision->macro, file->precision->typeNames()); }
    }
  }
  return ExitCode::Good;
}

ExitCode listClimbs(const Catalogue& catalogue, bool json) {
  Json list = Json::array();
  for (const Climb& climb : climbs(catalogue)) {
    Json rungs = Json::array();
    if (!json) { printText("{}\n", tr(climb.name)); }
    for (const auto& [variant, height] : climb.rungs) {
      rungs.push_back({{"id", variant->id},
                       {"extends", height == 0 ? Json(nullptr) : Json(variant->extends)},
                       {"height", height},
                       {"title", variant->title},
                       {"idea", variant->idea}});
      if (json) { continue; }
      printText("  {:<38}{}\n", fmt::format("{:{}}{}", "", 2 * height, variant->id), tr(variant->idea));
    }
    list.push_back({{"climb", climb.name}, {"rungs", std::move(rungs)}});
  }
  if (json) { printJson(list); }
  return ExitCode::Good;
}

CommandRun addList(CLI::App& command) {
  struct Options {
    bool climb = false, json = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_flag("--climb", options->climb, tr("By climbs: each variant above the one to which it adds its idea"));
  addJson(command, options->json);
  return [options](const CommandContext& context) {
    return (options->climb ? listClimbs : list)(context.catalogue, options->json);
  };
}

}  // namespace

extern const Command listCommand{"list", trMark("List the variants with their sizes and tunables"), addList};

}  // namespace haloscope
