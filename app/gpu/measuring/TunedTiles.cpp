#include "measuring/TunedTiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "driver/Compiler.h"
#include "driver/Device.h"
#include "hardware/Sensors.h"
#include "measuring/TuningMap.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

constexpr const char* kTileEntries = "tiles 2";  // change it with what an entry holds
constexpr std::uintmax_t kTileBytes = 1U << 20U;

bool isTile(const std::vector<std::string>& axes, const std::string& name) {
  return std::ranges::find(axes, name) != axes.end();
}

}  // namespace

const char* nameOf(TileSource source) {
  switch (source) {
    case TileSource::Default:
      return "default";
    case TileSource::Tuned:
      return "tuned";
    case TileSource::Given:
      return "given";
  }
  return "";
}

TunedTiles::TunedTiles(gpu::DiskCache cache, std::string gpu, std::string driver, std::string compiler)
    : cache_(std::move(cache)), gpu_(std::move(gpu)), driver_(std::move(driver)), compiler_(std::move(compiler)) {}

TunedTiles TunedTiles::of(const gpu::Device& device) {
  const std::filesystem::path folder = cacheFolder();
  std::string driver = hardware::Sensors(device).driverVersion();
  if (driver.empty()) { driver = device.properties().driverVersionText(); }
  return {folder.empty() ? gpu::DiskCache() : gpu::DiskCache(folder / "tiles", kTileBytes), device.properties().name,
          std::move(driver), device.compiler().versionText()};
}

std::string TunedTiles::keyOf(const KernelFile& file, const Bindings& bindings) const {
  const std::vector<std::string> axes = tuningAxes(file);
  std::string problem;
  for (const auto& [name, value] : bindings) {
    if (!isTile(axes, name)) { problem += fmt::format("{}={} ", name, value); }
  }
  return gpu::fingerprint({kTileEntries, gpu_, driver_, compiler_, file.text, file.kernel, problem});
}

std::optional<TunedTiles::Tile> TunedTiles::find(const KernelFile& file, const Bindings& bindings) const {
  const auto kept = cache_.read(keyOf(file, bindings));
  if (!kept) { return std::nullopt; }
  try {
    const nlohmann::json json = nlohmann::json::parse(*kept);
    Tile tile{.tunables = json.at("tunables").get<Bindings>(), .medianMs = json.at("median_ms").get<double>()};
    Bindings with = bindings;
    for (const auto& [name, value] : tile.tunables) { with[name] = value; }
    static_cast<void>(file.configuration(file.bind(with)));
    return tile;
  } catch (const nlohmann::json::exception&) { return std::nullopt; } catch (const InputError&) {
    return std::nullopt;
  }
}

bool TunedTiles::keep(const KernelFile& file, const Bindings& bindings, double medianMs) const {
  const std::optional<Tile> known = find(file, bindings);
  if (medianMs <= 0 || (known && known->medianMs <= medianMs)) { return false; }
  nlohmann::json tunables = nlohmann::json::object();
  for (const std::string& name : tuningAxes(file)) { tunables[name] = bindings.at(name); }
  // The variant and the GPU are there for whoever looks into the folder.
  const nlohmann::json entry{{"variant", file.id},    {"gpu", gpu_},          {"driver", driver_},
                             {"compiler", compiler_}, {"tunables", tunables}, {"median_ms", medianMs}};
  cache_.write(keyOf(file, bindings), entry.dump());
  return true;
}

TunedTiles::Chosen TunedTiles::choose(const KernelFile& file, const Bindings& bindings) const {
  Chosen chosen{.bindings = bindings};
  if (const std::optional<Tile> tile = find(file, bindings)) {
    for (const auto& [name, value] : tile->tunables) { chosen.bindings[name] = value; }
    chosen.source = TileSource::Tuned;
  }
  return chosen;
}

}  // namespace haloscope::measuring
