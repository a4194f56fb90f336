#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "actions/ChosenGpu.h"
#include "catalogue/Catalogue.h"
#include "checking/ShippedVariants.h"
#include "commands/Command.h"
#include "driver/Device.h"
#include "hardware/Peaks.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/SuitePlan.h"
#include "measuring/TunedTiles.h"
#include "measuring/Tuning.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "tables/BindingsJson.h"
#include "tables/TuningJson.h"
#include "text/Print.h"
#include "work/Pool.h"

/// `haloscope tune`: a map over tile and block sizes, and the best ones at other problem sizes.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using measuring::TuningCell;
using measuring::TuningMap;

struct TuneOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  std::string columns, rows;  ///< tunables; empty: the first that can be
  GpuOption gpu;              ///< instead of the one that is there
  int search = 0;             ///< timings with which the best of all tunables is looked for; 0: a map of two
  bool json = false;
};

/// The GPU that is there, measured; else the one that is chosen, or the first of assets/gpus.json.
measuring::TuningTarget findTarget(const GpuOption& wanted) {
  const gpu::DeviceSearch search = gpu::findDevice();
  if (search.device && !wanted.given()) {
    return measuring::targetOf(search.device, hardware::knownPeaks(search.device).copyGBs);
  }
  const std::vector<measuring::GpuSpec> specs = measuring::knownGpus();
  const measuring::GpuSpec& spec = specs.at(static_cast<std::size_t>(wanted.indexAmong(specs)));
  return predictedTarget(spec, wanted.given() ? tr("this GPU was named")
                                              : trf("{}; --gpu selects another GPU to predict for", search.missing));
}

/// "IN_TILE_DIM = 8, registers ≤ 32".
std::string nameOf(const TuningMap& map, const TuningCell& cell) {
  std::string name;
  for (const measuring::TuningAxis* axis : {&map.columns, &map.rows}) {
    if (axis->ofRegisters()) { continue; }
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", axis->name, cell.bindings.at(axis->name));
  }
  if (cell.registerLimit > 0) { name += trf("{}registers ≤ {}", name.empty() ? "" : ", ", cell.registerLimit); }
  return name.empty() ? "unchanged" : name;
}

void print(const TuningMap& map) {
  trPrint("{} on {}, all sizes {}\n", map.kernel, map.gpu, map.size);
  if (!map.note.empty()) { printText("{}\n", map.note); }
  printText("{:<36}{:>10}{:>18}{:>8}{:>9}{:>6}{:>6}{:>7}  {}\n", tr("cell"), "ms", "p10…p90", "GB/s", tr("of copy"),
            tr("occ."), tr("regs"), tr("spills"), tr("limited by"));
  const auto best = map.best();
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const TuningCell& cell = map.cells[i];
    if (!cell.limit.empty()) {
      trPrint("{:<36}cannot run: {}\n", nameOf(map, cell), cell.limit);
      continue;
    }
    const std::string registers = cell.registers > 0 ? std::to_string(cell.registers) : "?";
    if (cell.timed()) {
      printText("{:<36}{:>10.4f}{:>18}{:>8.0f}{:>9.3f}", nameOf(map, cell), cell.time.medianMs,
                fmt::format("{:.4f}…{:.4f}", cell.time.p10Ms, cell.time.p90Ms), cell.effectiveGBs, cell.fractionOfCopy);
    } else {
      printText("{:<36}{:>10}{:>18}{:>8}{:>9}", nameOf(map, cell), "", "", "", "");
    }
    printText("{:>6.2f}{:>6}{:>7}  {}{}\n", cell.occupancy.share, registers, cell.spillBytes,
              tr(cell.occupancy.limitedBy),
              best == i         ? tr("  <- best")
              : cell.freeAnyway ? tr("; the limit has no effect")
                                : "");
  }
  if (!map.sizes.empty()) {
    printText("\n{:>8}{:>12}{:>10}{:>12}{:>14}\n", tr("size"), tr("blocks"), tr("waves"), "ms", tr("ns per point"));
    for (const measuring::SizePoint& point : map.sizes) {
      printText("{:>8}{:>12}{:>10.2f}", point.size, point.blocks, point.waves);
      if (point.time.samples > 0) { printText("{:>12.4f}{:>14.5f}", point.time.medianMs, point.nsPerPoint); }
      printText("\n");
    }
  }
  if (map.clockMHz > 0) { trPrint("clock {} MHz, {:.0f} W; ", map.clockMHz, map.powerWatts); }
  trPrint("{} cells in {:.2f} s\n", map.cells.size(), map.seconds);
  if (!map.disturbance.empty()) { trPrint("disturbed: {}\n", map.disturbance); }
}

/// Keeps a tile for `bench` and says so on standard error.
void keepTile(const measuring::TuningTarget& target, const KernelFile& file, const Bindings& bindings, double ms) {
  if (!target.device || ms <= 0) { return; }
  const measuring::TunedTiles tiles = measuring::TunedTiles::of(*target.device);
  const bool kept = tiles.keep(file, bindings, ms);
  const auto best = tiles.find(file, bindings);
  if (!best) { return; }  // there is no folder for it
  printText(stderr, "haloscope: {}\n",
            kept ? trf("bench now uses {} on {}", measuring::tileText(file, bindings), target.name)
                 : trf("bench keeps the tile found before, with {:.4f} ms", best->medianMs));
}

/// The best of all tunables, by many timings.
ExitCode searchTile(const TuneOptions& options, measuring::TuningRequest request) {
  if (!request.target.device) {
    throw MissingError(trf("tune --search needs an NVIDIA GPU: {}", request.target.missing));
  }
  if (request.size == 0 && checking::isShippedVariant(request.file)) {
    request.size = measuring::fullSize(request.file);
  }
  if (request.size > 0) {
    for (const SizeParameter& size : request.file.sizes) {
      request.bindings[size.name] = measuring::withinRanges(request.file, request.size);
    }
  }
  const KernelFile& file = request.file;
  measuring::GpuGate gate;
  work::Pool pool;
  const measuring::TileSearch found = measuring::Tuner(pool, gate).search(request, options.search);
  if (found.milliseconds <= 0) { throw InputError(trf("{}: no tile that was tried can run", file.id)); }
  if (options.json) {
    printJson(Json{{"id", file.id},
                   {"gpu", request.target.name},
                   {"bindings", bindingsToJson(file, found.best)},
                   {"median_ms", found.milliseconds},
                   {"tried", found.tried},
                   {"disturbed", found.disturbance}});
  } else {
    trPrint("{} on {}: {}, {:.4f} ms, the best of {} tiles\n", file.id, request.target.name,
            measuring::tileText(file, found.best), found.milliseconds, found.tried);
  }
  if (!found.competed) {
    keepTile(request.target, file, found.best, found.milliseconds);
  } else {
    printText(stderr, "haloscope: the tile is not kept for bench, because the timings were disturbed: {}\n",
              found.disturbance);
  }
  return ExitCode::Good;
}

ExitCode tune(const Catalogue& catalogue, const TuneOptions& options) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  if (!options.kernel.knobs.blocks.empty()) {
    throw InputError(
        trf("--blocks {}: the grid changes with the tile here; --size sets the size", options.kernel.knobs.blocks));
  }
  measuring::TuningRequest request{.file = chosen.file,
                                   .bindings = chosen.file.bind(chosen.bindings),
                                   .size = options.kernel.knobs.size.value_or(0),
                                   .axes = {options.columns, options.rows}};
  const std::vector<std::string> possible = measuring::tuningAxes(chosen.file);
  for (const auto& [option, name] : {std::pair{"--columns", options.columns}, std::pair{"--rows", options.rows}}) {
    if (!name.empty() && std::ranges::find(possible, name) == possible.end()) {
      throw InputError(trf("{} {}: {} has no such tile or block size; it has {}", option, name, chosen.file.id,
                           possible.empty() ? tr("none") : fmt::format("{}", fmt::join(possible, ", "))));
    }
  }
  request.target = findTarget(options.gpu);
  if (options.search > 0) { return searchTile(options, std::move(request)); }
  measuring::GpuGate gate;
  work::Pool pool;
  const TuningMap map = measuring::Tuner(pool, gate).tune(request);
  if (options.json) {
    printJson(tables::tuningJson(chosen.file, map));
  } else {
    print(map);
  }
  // A limit of registers is no part of a tile.
  const TuningCell* best = nullptr;
  for (const TuningCell& cell : map.cells) {
    if (!cell.timed() || cell.registerLimit > 0) { continue; }
    if (best == nullptr || cell.time.medianMs < best->time.medianMs) { best = &cell; }
  }
  if (best != nullptr && map.disturbance.empty()) {
    keepTile(request.target, chosen.file, best->bindings, best->time.medianMs);
  }
  return ExitCode::Good;
}

CommandRun addTune(CLI::App& command) {
  const auto options = std::make_shared<TuneOptions>();
  addTarget(command, options->id);
  addKernel(command, options->kernel);
  command.add_option("--columns", options->columns, tr("Tunable that changes from left to right"));
  command.add_option("--rows", options->rows, tr("Tunable that changes from top to bottom"));
  command
      .add_option("--search", options->search,
                  tr("Instead of a map: look for the best combination of all tunables with at most so many timings"))
      ->check(CLI::Range(1, 100'000));
  options->gpu.addTo(command, tr("Predict instead of timing: "));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return tune(context.catalogue, *options); };
}

}  // namespace

extern const Command tuneCommand{
    "tune", trMark("Time a kernel at many tile and block sizes, and at many problem sizes"), addTune};

}  // namespace haloscope
