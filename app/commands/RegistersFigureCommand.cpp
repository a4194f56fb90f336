#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/FigureCommands.h"
#include "commands/FigureKernel.h"
#include "commands/FigureOptions.h"
#include "commands/KernelArguments.h"
#include "figures/CodeReport.h"
#include "program/Words.h"

/// `haloscope figure registers`: what the compiler gives a thread and a block.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::CodeReport;

Json toJson(const CodeReport& report) {
  const bool known = report.registers > 0;
  return {{"kernel", report.id},
          {"bindings", report.bindings},
          {"points", report.points > 0 ? Json(report.points) : Json(nullptr)},
          {"threads", report.threads},
          {"registers_per_thread", known ? Json(report.registers) : Json(nullptr)},
          {"shared_bytes_per_block", known ? Json(report.sharedBytes) : Json(nullptr)},
          {"spill_bytes_per_thread", known ? Json(report.spillBytes) : Json(nullptr)},
          {"stack_bytes_per_thread", known ? Json(report.stackBytes) : Json(nullptr)},
          {"resident_blocks", known ? Json(report.occupancy.residentBlocks) : Json(nullptr)},
          {"occupancy", known ? Json(report.occupancy.share) : Json(nullptr)},
          {"limited_by", known ? Json(report.occupancy.limitedBy) : Json(nullptr)},
          {"problem", report.problem.empty() ? Json(nullptr) : Json(report.problem)}};
}

/// "IN_TILE_DIM = 8": the tunables.
std::string knobsOf(const KernelFile* file, const CodeReport& report) {
  std::string text;
  if (file == nullptr) { return text; }
  for (const Tunable& tunable : file->tunables) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", tunable.name, report.bindings.at(tunable.name));
  }
  return text;
}

void print(const Catalogue& catalogue, const KernelFile* opened, const std::vector<CodeReport>& reports) {
  fmt::print("{:<32}{:>7}{:>8}{:>6}{:>10}{:>8}{:>8}{:>11}  {:<14}{}\n", "kernel", "points", "threads", "regs",
             "shared B", "spills", "blocks", "occupancy", "limited by", "tunables");
  for (const CodeReport& report : reports) {
    const KernelFile* file = opened != nullptr && opened->id == report.id ? opened : catalogue.find(report.id);
    const std::string points = report.points > 0 ? std::to_string(report.points) : "-";
    if (report.registers == 0) {
      const std::string knobs = knobsOf(file, report);
      fmt::print("{:<32}{:>7}  {}{}{}\n", report.id, points, knobs, knobs.empty() ? "" : ": ", report.problem);
      continue;
    }
    fmt::print("{:<32}{:>7}{:>8}{:>6}{:>10}{:>8}{:>8}{:>10.0f}%  {:<14}{}\n", report.id, points, report.threads,
               report.registers, report.sharedBytes, report.spillBytes, report.occupancy.residentBlocks,
               100 * report.occupancy.share, report.occupancy.limitedBy, knobsOf(file, report));
  }
}

struct RegistersOptions {
  std::string id;
  KernelOptions kernel;
  FigureOptions figure;
  bool all = false, json = false;
};

/// Of the whole catalogue, each at its defaults.
std::vector<CodeReport> planAll(const Catalogue& catalogue) {
  std::vector<CodeReport> reports;
  for (const KernelFile& file : catalogue.kernels()) {
    CodeReport report;
    report.id = file.id;
    report.title = file.title;
    report.bindings = file.defaults();
    report.points = static_cast<std::int64_t>(file.taps(report.bindings).size());
    reports.push_back(std::move(report));
  }
  return reports;
}

/// The whole catalogue is taken as it is. Throws InputError.
void expectDefaults(const KernelOptions& kernel) {
  const bool told = kernel.knobs.size || !kernel.knobs.defines.empty() || !kernel.overrides().silent();
  if (told || !kernel.kernel.empty()) {
    throw InputError("--all takes every variant at its defaults: name one kernel to set its tunables or its launch");
  }
}

bool names(const Expression& expression, const std::string& name) {
  const std::string& text = expression.text();
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) { return true; }
  }
  return false;
}

/// A size that neither the block nor its shared memory depends on changes no number. Throws InputError.
void expectNoSize(const KnobOptions& knobs, const ChosenKernel& chosen) {
  const std::string option = knobs.sizeOption(chosen.file);
  if (option.empty() || !chosen.overrides.silent()) { return; }  // a file's launch may follow from its sizes
  const bool felt = std::ranges::any_of(chosen.file.sizes, [&](const SizeParameter& size) {
    return std::ranges::any_of(chosen.file.block, [&](const Expression& extent) { return names(extent, size.name); }) ||
           (chosen.file.dynamicSharedBytes && names(*chosen.file.dynamicSharedBytes, size.name));
  });
  if (felt) { return; }
  throw InputError(fmt::format("{}: registers and shared memory of {} do not depend on the size of the problem", option,
                               chosen.file.id));
}

ExitCode run(const RegistersOptions& options, const Catalogue& catalogue) {
  if (options.all == !options.id.empty()) { throw InputError("name one kernel, or --all of the catalogue"); }
  if (options.all && options.figure.sizes) { throw InputError("--sizes is of one kernel: name it instead of --all"); }
  if (options.all) { expectDefaults(options.kernel); }
  const figures::CodeTarget target = options.figure.target.find();
  const figures::CodeReporter reporter;
  if (!reporter.missing().empty()) { throw MissingError(reporter.missing()); }
  std::optional<ChosenKernel> chosen;
  std::vector<CodeReport> reports;
  if (options.all) {
    reports = planAll(catalogue);
  } else {
    chosen = chosenKernel(catalogue, options.id, options.kernel);
    expectNoSize(options.kernel.knobs, *chosen);
    const Bindings bindings = chosen->file.bind(chosen->bindings);
    reports = options.figure.sizes ? figures::planSizes(chosen->file, bindings)
                                   : figures::planVariantSizes(catalogue, chosen->file, bindings);
  }
  const KernelFile* own = chosen ? &chosen->file : nullptr;
  for (CodeReport& report : reports) {
    const KernelFile* file = own != nullptr && own->id == report.id ? own : catalogue.find(report.id);
    reporter.report(*file, report, target);
  }
  if (options.json) {
    Json kernels = Json::array();
    for (const CodeReport& report : reports) { kernels.push_back(toJson(report)); }
    const Json json = {{"gpu", target.name},
                       {"architecture", fmt::format("sm_{}", target.capability)},
                       {"compiler", "NVRTC " + reporter.version()},
                       {"kernels", std::move(kernels)}};
    std::cout << json.dump(2) << '\n';
  } else {
    fmt::print("NVRTC {} for sm_{}; blocks and occupancy of {}\n", reporter.version(), target.capability, target.name);
    print(catalogue, own, reports);
  }
  return ExitCode::Good;
}

}  // namespace

FigureRun addRegistersFigure(CLI::App& command) {
  auto options = std::make_shared<RegistersOptions>();
  command.add_option("ID", options->id,
                     "Variant, with those of its chapter beside it, each at its own tile sizes, or a .cu file");
  addKernel(command, options->kernel, "Which kernel of the file");
  addFigureOptions(command, "registers", options->figure);
  command.add_flag("--all", options->all, "Every variant of the catalogue");
  command.add_flag("--json", options->json, "Print one JSON document");
  return [options](const Catalogue& catalogue) { return run(*options, catalogue); };
}

}  // namespace haloscope
