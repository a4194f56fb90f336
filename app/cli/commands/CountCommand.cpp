#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/Command.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "options/KernelOptions.h"
#include "program/SourceLocation.h"
#include "reports/HardwareCounts.h"
#include "reports/ProgressLine.h"
#include "tables/CountJson.h"
#include "tables/NpyBytes.h"
#include "text/Print.h"

/// `haloscope count`: what a launch does, counted on the emulator.
namespace haloscope {
namespace {

struct CountOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  std::filesystem::path arrays;  ///< the folder that they are written to; empty: nowhere
  bool hardware = false, json = false;
};

/// Each global array after the launch as NAME.npy.
void writeArrays(const experiment::Experiment& experiment, const std::filesystem::path& folder) {
  const std::vector<MemoryObject>& objects = experiment.program->objects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].space != MemorySpace::Global) { continue; }
    const std::filesystem::path file = folder / (objects[i].name + ".npy");
    const std::string problem = replaceWhole(file, tables::npyBytes(experiment.launch->arrays[i]));
    if (!problem.empty()) { throw InputError(problem); }
  }
}

ExitCode count(const Catalogue& catalogue, const CountOptions& options) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  const KernelFile& file = chosen.file;
  experiment::RunOptions run;
  run.record = false;
  const auto experiment = [&] {
    CountProgress progress(file.configuration(file.bind(chosen.bindings)));
    simt::Observer* const observers[] = {&progress.blocks()};
    run.observers = observers;
    return experiment::run(file, chosen.choice(), run);
  }();
  experiment::throwIfFaulty(file, experiment->fault);
  for (const std::string& warning : experiment->warnings) { printText(stderr, "haloscope: warning: {}\n", warning); }
  if (experiment->configuration.grid.count() == 1) {
    printText(stderr, "haloscope: {}\n", tr("one block covers the whole problem: no block is interior"));
  }
  if (!options.arrays.empty()) { writeArrays(*experiment, options.arrays); }
  const experiment::LaunchCounts& counts = experiment->counts;
  const experiment::OpPerByte& opb = experiment->opPerByte;
  if (options.json) {
    printJson(tables::countJson(options.id, *experiment, chosen.data));
    return ExitCode::Good;
  }
  const Dim3& grid = experiment->configuration.grid;
  const Dim3& block = experiment->configuration.block;
  printText("{} ({})\n", options.id, tr(file.title));
  for (const auto& [name, value] : experiment->bindings) {
    printText("  {:<28}{:>16}\n", name, file.valueText(name, value));
  }
  for (const std::string& text : inputs::texts(chosen.data)) { printText("  {:<28}{:>16}\n", tr("data"), text); }
  printText("  {:<28}{:>16}\n", tr("grid"), extentText(grid));
  printText("  {:<28}{:>16}\n", tr("block"), extentText(block));
  printText("  {:<28}{:>16}\n", tr("threads per block"), block.count());
  printText("  {:<28}{:>16} B\n", tr("shared memory per block"), counts.sharedBytesPerBlock);
  trPrint("  {:<28}{:>16}   executed\n", tr("floating-point operations"), counts.flops);
  trPrint("  {:<28}{:>16} B executed\n", tr("global loads"), counts.globalLoadBytes);
  trPrint("  {:<28}{:>16} B executed\n", tr("global stores"), counts.globalStoreBytes);
  if (const std::uint64_t bytes = counts.clusterLoadBytes + counts.clusterStoreBytes; bytes > 0) {
    trPrint("  {:<28}{:>16} B executed, in {} requests of warps for {} sectors of 32 B\n",
            tr("shared memory of others"), bytes, experiment->requests.all.clusterRequests,
            experiment->requests.all.clusterSectors);
  }
  const analysis::RequestTotals& requests = experiment->requests.all;
  trPrint("  {:<28}{:>16}   of 32 B, {:.2f} per request of a warp\n", tr("L1 sectors"), requests.sectors,
          requests.sectorsPerRequest());
  if (experiment->grid.bulkCopies > 0) {
    trPrint("  {:<28}{:>16}   {} B, in no sectors and bank conflicts here\n", tr("bulk copies"),
            experiment->grid.bulkCopies, experiment->grid.bulkBytes);
  }
  if (requests.sharedRequests > 0) {
    trPrint("  {:<28}{:>16}   different words of one bank per request at most; {:.2f} on average\n",
            tr("bank-conflict degree"), requests.bankDegreeMax, requests.meanBankDegree());
  }
  if (requests.constantRequests > 0) {
    trPrint("  {:<28}{:>16.2f}   passes per request; 1 is a broadcast\n", tr("constant memory"),
            requests.passesPerConstantRequest());
  }
  if (counts.haloFraction) {
    trPrint("  {:<28}{:>15.1f} % of an interior block's input tile\n", tr("halo"), 100 * *counts.haloFraction);
  }
  if (const analysis::Products& products = counts.products; products.byZero > 0) {
    const auto all = static_cast<double>(products.all);
    trPrint("  {:<28}{:>15.1f} % of an interior block's, {} of {}; the other factor of {} had been loaded for it\n",
            tr("multiplications by zero"), 100 * static_cast<double>(products.byZero) / all, products.byZero,
            products.all, products.loadsForZero);
  }
  if (opb.formula) {
    trPrint("  {:<28}{:>16.3f}   formula: {}\n", tr("OP/B, book"), *opb.formula, file.opPerByte->text());
  }
  trPrint("  {:<28}{:>16.3f}   executed, loads only\n", tr("OP/B, whole grid"), opb.executed);
  std::string at;  // of which grid, when this one has no interior block
  if (counts.interiorBindings != experiment->bindings) {
    for (const SizeParameter& size : file.sizes) {
      if (counts.interiorBindings.contains(size.name)) {
        at += fmt::format(" {} = {}", size.name, counts.interiorBindings.at(size.name));
      }
    }
    at = at.empty() ? tr("; no size has one") : tr("; this grid has none, counted at") + at;
  }
  trPrint("  {:<28}{:>16.3f}   executed, loads only{}\n", tr("OP/B, interior block"), opb.interiorBlock, at);
  trPrint("  {:<28}{:>16.3f}   executed, whole grid\n", tr("OP/B, loads and stores"), opb.withStores);
  return ExitCode::Good;
}

CommandRun addCount(CLI::App& command) {
  const auto options = std::make_shared<CountOptions>();
  addTarget(command, options->id);
  addKernel(command, options->kernel);
  addData(command, options->kernel.data);
  command.add_flag(
      "--hardware", options->hardware,
      tr("Also read the GPU's hardware counters and time the launch; without a size, at one that exceeds the caches"));
  command.add_option("--arrays", options->arrays,
                     tr("Also write each array of global memory as it is after the launch: FOLDER/NAME.npy"));
  addJson(command, options->json);
  return [options](const CommandContext& context) {
    if (options->hardware) { return countOnHardware(context.catalogue, options->id, options->kernel, options->json); }
    return count(context.catalogue, *options);
  };
}

}  // namespace

extern const Command countCommand{
    "count", trMark("Execute a kernel on the emulator; count its operations and memory traffic"), addCount};

}  // namespace haloscope
