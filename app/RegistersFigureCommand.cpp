#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "FigureCommands.h"
#include "FigureKernel.h"
#include "FigureTarget.h"
#include "KernelArguments.h"
#include "figures/CodeReport.h"

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
      fmt::print("{:<32}{:>7}  {}\n", report.id, points, report.problem);
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
  FigureTarget target;
  bool all = false, sizes = false, json = false;
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

ExitCode run(const RegistersOptions& options, const Catalogue& catalogue) {
  if (options.all == !options.id.empty()) { throw InputError("name one kernel, or --all of the catalogue"); }
  if (options.all && options.sizes) { throw InputError("--sizes is of one kernel: name it instead of --all"); }
  const figures::CodeTarget target = options.target.find();
  const figures::CodeReporter reporter;
  if (!reporter.missing().empty()) { throw MissingError(reporter.missing()); }
  std::optional<ChosenKernel> chosen;
  std::vector<CodeReport> reports;
  if (options.all) {
    reports = planAll(catalogue);
  } else {
    chosen = chosenKernel(catalogue, options.id, options.kernel);
    const Bindings bindings = chosen->file.bind(chosen->bindings);
    reports = options.sizes ? figures::planSizes(chosen->file, bindings)
                            : figures::planVariants(catalogue, chosen->file, bindings);
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
  command.add_option("ID", options->id, "Variant, with those of its chapter beside it, or a .cu file");
  addKernel(command, options->kernel, "Which kernel of the file");
  options->target.addTo(command);
  command.add_flag("--all", options->all, "Every variant of the catalogue");
  command.add_flag("--sizes", options->sizes, "This kernel alone, at each size of its tile or block");
  command.add_flag("--json", options->json, "Print one JSON document");
  return [options](const Catalogue& catalogue) { return run(*options, catalogue); };
}

}  // namespace haloscope
