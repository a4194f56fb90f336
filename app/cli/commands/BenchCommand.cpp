#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "catalogue/Catalogue.h"
#include "commands/Command.h"
#include "driver/Device.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "hardware/Bench.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "measuring/SuitePlan.h"
#include "measuring/TunedTiles.h"
#include "measuring/TuningMap.h"
#include "options/KernelArguments.h"
#include "reports/BenchSuite.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope bench`: kernels timed on the GPU.
namespace haloscope {
namespace {

struct BenchOptions {
  std::vector<std::string> ids;  ///< empty: all variants
  KnobOptions knobs;
  SuiteArguments suite;
  bool json = false;
};

/// A size at which the arrays are far larger than any cache: about 128 million points in 3D, 64 million in 2D.
Bindings benchSizes(const KernelFile& file) {
  Bindings bindings;
  const std::size_t rank = file.arrays.empty() ? 1 : file.arrays.front().shape.size();
  const std::int64_t wanted = rank >= 3 ? 512 : rank == 2 ? 8192 : std::int64_t{1} << 26;
  for (const SizeParameter& size : file.sizes) { bindings[size.name] = std::min(wanted, size.maximum); }
  return bindings;
}

Bindings bindingsOf(const KernelFile& file, const KnobOptions& knobs) {
  Bindings bindings = knobs.bindings(file);
  if (!knobs.size && knobs.blocks.empty()) {
    for (const auto& [name, value] : benchSizes(file)) {
      const bool given = std::any_of(knobs.defines.begin(), knobs.defines.end(),
                                     [&](const std::string& define) { return define.starts_with(name + "="); });
      if (!given) { bindings[name] = value; }
    }
  }
  return bindings;
}

/// The tuned tile, unless one is given.
measuring::TunedTiles::Chosen tileOf(const KernelFile& file, const KnobOptions& knobs,
                                     const measuring::TunedTiles& tiles) {
  const Bindings bindings = bindingsOf(file, knobs);
  const std::vector<std::string> axes = measuring::tuningAxes(file);
  const bool given = std::ranges::any_of(knobs.defines, [&](const std::string& define) {
    return std::ranges::find(axes, define.substr(0, define.find('='))) != axes.end();
  });
  return given ? measuring::TunedTiles::Chosen{bindings, measuring::TileSource::Given} : tiles.choose(file, bindings);
}

/// What all variants of a run are timed with.
struct BenchRun {
  std::shared_ptr<const gpu::Device> device;
  const KnobOptions& knobs;
  measuring::GpuGate& gate;
  const measuring::TunedTiles& tiles;
  bool json = false;
};

/// Times one variant and prints its row, unless it is for JSON. Throws as Kernel's constructor.
nlohmann::ordered_json benchOne(const KernelFile& file, const BenchRun& with) {
  const auto [bindings, source] = tileOf(file, with.knobs, with.tiles);
  const std::string tile = fmt::format("{} ({})", measuring::tileText(file, bindings), measuring::nameOf(source));
  const Program program = experiment::compile(file, bindings);
  const gpu::Clearance clearance = with.gate.require(file, bindings);
  const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  const hardware::BenchResult result =
      hardware::bench(clearance, with.device, measuring::gpuText(file, bindings), program, launch,
                      {.bytes = experiment::effectiveBytes(file, bindings, program)});
  const hardware::Conditions& conditions = result.conditions;
  std::string sizes;
  for (const SizeParameter& size : file.sizes) {
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", size.name, bindings.at(size.name));
  }
  if (file.precision) { sizes += ", " + realTypeName(bindings.at(file.precision->macro)); }
  nlohmann::ordered_json entry = {{"id", file.id},
                                  {"gpu", with.device->properties().name},
                                  {"bindings", bindingsToJson(file, bindings)},
                                  {"tile_source", measuring::nameOf(source)},
                                  {"median_ms", result.kernel.medianMs},
                                  {"p10_ms", result.kernel.p10Ms},
                                  {"p90_ms", result.kernel.p90Ms},
                                  {"samples", result.kernel.samples},
                                  {"warmups", result.warmups},
                                  {"sm_clock_mhz", conditions.medianClockMHz},
                                  {"lowest_sm_clock_mhz", conditions.lowestClockMHz},
                                  {"highest_sm_clock_mhz", conditions.highestClockMHz},
                                  {"power_watts", conditions.powerWatts},
                                  {"disturbed", conditions.disturbance},
                                  {"effective_gb_per_s", result.effectiveGBs},
                                  {"copy_gb_per_s", result.copyGBs},
                                  {"copy_kind", result.copyKind},
                                  {"fraction_of_copy", result.fractionOfCopy},
                                  {"registers_per_thread", result.resources.registersPerThread},
                                  {"shared_bytes_per_block", result.resources.sharedBytes},
                                  {"local_bytes_per_thread", result.resources.localBytes},
                                  {"spill_bytes_per_thread", result.resources.spillBytes},
                                  {"occupancy", result.occupancy}};
  if (!with.json) {
    printText("{:<34}{:>22}{:>10.4f}{:>18}{:>11.0f}{:>9.3f}{:>7}{:>7.2f}{:>7}{:>6.0f}  {}\n", file.id, sizes,
              result.kernel.medianMs, fmt::format("{:.4f}…{:.4f}", result.kernel.p10Ms, result.kernel.p90Ms),
              result.effectiveGBs, result.fractionOfCopy, result.resources.registersPerThread, result.occupancy,
              conditions.medianClockMHz, conditions.powerWatts, tile);
    if (!conditions.disturbance.empty()) { trPrint("  disturbed: {}\n", conditions.disturbance); }
    std::fflush(stdout);
  }
  return entry;
}

ExitCode bench(const Catalogue& catalogue, const std::vector<std::string>& ids, const KnobOptions& knobs, bool json) {
  std::vector<const KernelFile*> files;
  for (const std::string& id : ids) { files.push_back(&catalogue.at(id)); }
  if (ids.empty()) {
    for (const KernelFile& file : catalogue.kernels()) { files.push_back(&file); }
  }
  for (const KernelFile* file : files) { static_cast<void>(bindingsOf(*file, knobs)); }  // bad input comes first
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("bench needs an NVIDIA GPU: {}", search.missing)); }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  if (!json) {
    trPrint(
        "{}, compute capability {}; effective = each point read once and each computed point written once a time step "
        "/ median time\n",
        search.device->properties().name, search.device->properties().computeCapability());
    trPrint("{:<34}{:>22}{:>10}{:>18}{:>11}{:>9}{:>7}{:>7}{:>7}{:>6}  tile\n", tr("variant"), tr("size"), "ms",
            "p10…p90", "GB/s", tr("of copy"), tr("regs"), tr("occ."), "MHz", "W");
  }
  measuring::GpuGate gate;
  const measuring::TunedTiles tiles = measuring::TunedTiles::of(*search.device);
  for (const KernelFile* file : files) {
    try {
      list.push_back(benchOne(*file, {search.device, knobs, gate, tiles, json}));
    } catch (const UserError& refused) {
      if (files.size() == 1) { throw; }
      printText(stderr, "haloscope: {} is not timed: {}\n", file->id, refused.what());
    }
  }
  if (json) {
    printJson(list);
  } else if (!list.empty()) {
    trPrint("copy: {:.0f} GB/s ({})\n", list.back()["copy_gb_per_s"].get<double>(),
            list.back()["copy_kind"].get<std::string>());
  }
  return ExitCode::Good;
}

CommandRun addBench(CLI::App& command) {
  const auto options = std::make_shared<BenchOptions>();
  command.add_option("ID", options->ids, tr("Variants; all when none is named"));
  addKnobs(command, options->knobs);
  options->suite.addTo(command);
  addJson(command, options->json);
  return [options](const CommandContext& context) {
    if (!options->suite.suite.empty()) {
      if (!options->ids.empty() || options->knobs.given()) {
        throw InputError(
            tr("--suite names its variants, sizes and tunables itself: leave out ID, -D, --size and --blocks"));
      }
      return benchSuite(context.catalogue, options->suite, options->json);
    }
    return bench(context.catalogue, options->ids, options->knobs, options->json);
  };
}

}  // namespace

extern const Command benchCommand{"bench", trMark("Time variants on the GPU and compare them with its copy bandwidth"),
                                  addBench};

}  // namespace haloscope
