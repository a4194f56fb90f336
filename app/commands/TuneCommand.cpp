#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands/BindingsJson.h"
#include "commands/Commands.h"
#include "gpu/Device.h"
#include "gpu/Peaks.h"
#include "measuring/GpuSpecs.h"
#include "measuring/Tuning.h"
#include "program/ResourceFolder.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;
using measuring::TuningCell;
using measuring::TuningMap;

/// The GPU that is there, measured; else the first that assets/gpus.json has of this name.
measuring::TuningTarget findTarget(const std::string& wanted) {
  const gpu::DeviceSearch search = gpu::findDevice();
  if (search.device && wanted.empty()) {
    return measuring::targetOf(search.device, gpu::knownPeaks(search.device).copyGBs);
  }
  const auto specs = measuring::readGpuSpecs(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "gpus.json");
  for (const measuring::GpuSpec& spec : specs) {
    if (spec.name.find(wanted) == std::string::npos) { continue; }
    const std::string missing = wanted.empty() ? search.missing + "; --gpu chooses another one to predict for"
                                               : "this one was asked for by name";
    return {nullptr, spec.name, spec.computeCapability, spec.multiprocessors, 0, missing};
  }
  throw InputError(fmt::format("--gpu {}: assets/gpus.json has no GPU of that name", wanted));
}

Json spreadToJson(const gpu::Spread& time) {
  if (time.samples == 0) { return nullptr; }
  return {{"median_ms", time.medianMs}, {"p10_ms", time.p10Ms}, {"p90_ms", time.p90Ms}, {"samples", time.samples}};
}

Json cellToJson(const KernelFile& file, const TuningCell& cell) {
  return {{"bindings", bindingsToJson(file, cell.bindings)},
          {"register_limit", cell.registerLimit > 0 ? Json(cell.registerLimit) : Json(nullptr)},
          {"limit_changes_nothing", cell.freeAnyway},
          {"threads", cell.limit.empty() ? Json(cell.configuration.threadsPerBlock()) : Json(nullptr)},
          {"cannot_run", cell.limit.empty() ? Json(nullptr) : Json(cell.limit)},
          {"time", spreadToJson(cell.time)},
          {"effective_gb_per_s", cell.effectiveGBs},
          {"fraction_of_copy", cell.fractionOfCopy},
          {"registers_per_thread", cell.registers > 0 ? Json(cell.registers) : Json(nullptr)},
          {"spill_bytes_per_thread", cell.spillBytes},
          {"shared_bytes_per_block", cell.sharedBytes},
          {"resident_blocks", cell.occupancy.residentBlocks},
          {"occupancy", cell.occupancy.share},
          {"limited_by", cell.occupancy.limitedBy}};
}

Json axisToJson(const measuring::TuningAxis& axis) {
  return {{"name", axis.ofRegisters() ? "registers per thread, at most" : axis.name}, {"values", axis.values}};
}

Json toJson(const KernelFile& file, const TuningMap& map) {
  Json cells = Json::array();
  for (const TuningCell& cell : map.cells) { cells.push_back(cellToJson(file, cell)); }
  Json sizes = Json::array();
  for (const measuring::SizePoint& point : map.sizes) {
    sizes.push_back({{"size", point.size},
                     {"blocks", point.blocks},
                     {"waves", point.waves},
                     {"time", spreadToJson(point.time)},
                     {"ns_per_point", point.nsPerPoint}});
  }
  const auto best = map.best();
  return {{"id", map.kernel},
          {"gpu", map.gpu},
          {"timed", map.timing},
          {"size", map.size},
          {"columns", axisToJson(map.columns)},
          {"rows", axisToJson(map.rows)},
          {"cells", std::move(cells)},
          {"best", best ? Json(*best) : Json(nullptr)},
          {"copy_gb_per_s", map.copyGBs},
          {"sm_clock_mhz", map.clockMHz},
          {"power_watts", map.powerWatts},
          {"disturbed", map.disturbance},
          {"note", map.note},
          {"seconds", map.seconds},
          {"sizes", std::move(sizes)}};
}

/// "IN_TILE_DIM = 8, registers ≤ 32".
std::string nameOf(const TuningMap& map, const TuningCell& cell) {
  std::string name;
  for (const measuring::TuningAxis* axis : {&map.columns, &map.rows}) {
    if (axis->ofRegisters()) { continue; }
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", axis->name, cell.bindings.at(axis->name));
  }
  if (cell.registerLimit > 0) { name += fmt::format("{}registers ≤ {}", name.empty() ? "" : ", ", cell.registerLimit); }
  return name.empty() ? "as it is" : name;
}

void print(const TuningMap& map) {
  fmt::print("{} on {}, every size {}\n", map.kernel, map.gpu, map.size);
  if (!map.note.empty()) { fmt::print("{}\n", map.note); }
  fmt::print("{:<36}{:>10}{:>18}{:>8}{:>9}{:>6}{:>6}{:>7}  {}\n", "cell", "ms", "p10…p90", "GB/s", "of copy", "occ.",
             "regs", "spills", "limited by");
  const auto best = map.best();
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const TuningCell& cell = map.cells[i];
    if (!cell.limit.empty()) {
      fmt::print("{:<36}cannot run: {}\n", nameOf(map, cell), cell.limit);
      continue;
    }
    const std::string registers = cell.registers > 0 ? std::to_string(cell.registers) : "?";
    if (cell.timed()) {
      fmt::print("{:<36}{:>10.4f}{:>18}{:>8.0f}{:>9.3f}", nameOf(map, cell), cell.time.medianMs,
                 fmt::format("{:.4f}…{:.4f}", cell.time.p10Ms, cell.time.p90Ms), cell.effectiveGBs,
                 cell.fractionOfCopy);
    } else {
      fmt::print("{:<36}{:>10}{:>18}{:>8}{:>9}", nameOf(map, cell), "", "", "", "");
    }
    fmt::print("{:>6.2f}{:>6}{:>7}  {}{}\n", cell.occupancy.share, registers, cell.spillBytes, cell.occupancy.limitedBy,
               best == i         ? "  <- best"
               : cell.freeAnyway ? "; the limit changes nothing"
                                 : "");
  }
  if (!map.sizes.empty()) {
    fmt::print("\n{:>8}{:>12}{:>10}{:>12}{:>12}\n", "size", "blocks", "waves", "ms", "ns a point");
    for (const measuring::SizePoint& point : map.sizes) {
      fmt::print("{:>8}{:>12}{:>10.2f}", point.size, point.blocks, point.waves);
      if (point.time.samples > 0) { fmt::print("{:>12.4f}{:>12.5f}", point.time.medianMs, point.nsPerPoint); }
      fmt::print("\n");
    }
  }
  if (map.clockMHz > 0) { fmt::print("clock {} MHz, {:.0f} W; ", map.clockMHz, map.powerWatts); }
  fmt::print("{} cells in {:.2f} s\n", map.cells.size(), map.seconds);
  if (!map.disturbance.empty()) { fmt::print("disturbed: {}\n", map.disturbance); }
}

}  // namespace

ExitCode tuneCommand(const Catalogue& catalogue, const TuneOptions& options) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.id, options.kernel);
  measuring::TuningRequest request;
  request.file = chosen.file;
  request.bindings = chosen.file.bind(chosen.bindings);
  request.size = options.kernel.knobs.size.value_or(0);
  request.axes = {options.columns, options.rows};
  const std::vector<std::string> possible = measuring::tuningAxes(chosen.file);
  for (const auto& [option, name] : {std::pair{"--columns", options.columns}, std::pair{"--rows", options.rows}}) {
    if (!name.empty() && std::ranges::find(possible, name) == possible.end()) {
      throw InputError(fmt::format("{} {}: {} has no such tile or block size; it has: {}", option, name, chosen.file.id,
                                   fmt::join(possible, ", ")));
    }
  }
  request.target = findTarget(options.gpu);
  const TuningMap map = measuring::Tuner().tune(request);
  if (options.json) {
    std::cout << toJson(chosen.file, map).dump(2) << '\n';
  } else {
    print(map);
  }
  return ExitCode::Good;
}

}  // namespace haloscope
