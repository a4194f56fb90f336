#include "options/GpuOption.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "driver/Occupancy.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope {

running::RunDevice runDevice(const measuring::GpuSpec& gpu) {
  running::RunDevice device{.name = gpu.name,
                            .properties = {},
                            .bytesPerSecond = gpu.bandwidthGBs * 1e9,
                            .flopsPerSecond = gpu.fp32GFlops * 1e9};
  const std::size_t dot = gpu.computeCapability.find('.');
  device.properties = {
      {"major", std::atoi(gpu.computeCapability.c_str())},
      {"minor", dot == std::string::npos ? 0 : std::atoi(gpu.computeCapability.c_str() + dot + 1)},
      {"multiProcessorCount", gpu.multiprocessors},
      {"sharedMemPerBlock", kMaxSharedBytesPerBlock},
      {"regsPerBlock", 65536},
      {"totalGlobalMem", static_cast<std::int64_t>(gpu.memoryGiB * 0x1p30)},
      {"l2CacheSize", static_cast<std::int64_t>(gpu.l2MiB * 0x1p20)},
      {"clockRate", static_cast<std::int64_t>(gpu.clockMHz * 1000)},
  };
  // No compute capability has a memory bus: the width and the clock are those that give the bandwidth.
  constexpr std::int64_t kBusWidth = 256;
  device.properties["memoryBusWidth"] = kBusWidth;
  device.properties["memoryClockRate"] = static_cast<std::int64_t>(gpu.bandwidthGBs * 1e6 / (2 * kBusWidth / 8));
  if (const auto limits = gpu::limitsOf(gpu.computeCapability)) {
    device.properties["maxThreadsPerMultiProcessor"] = limits->threads;
    device.properties["maxBlocksPerMultiProcessor"] = limits->blocks;
    device.properties["regsPerMultiprocessor"] = limits->registers;
    device.properties["sharedMemPerMultiprocessor"] = limits->sharedBytes;
    device.properties["sharedMemPerBlockOptin"] = limits->sharedBytes - limits->reservedSharedBytes;
  }
  return device;
}

running::RunOptions runOptions(const measuring::GpuSpec& gpu) {
  running::RunOptions options;
  options.device = runDevice(gpu);
  options.compilerHeaders = resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "clang" / "include";
  return options;
}

namespace {

using Specs = std::vector<measuring::GpuSpec>;

/// Past the end for an architecture that no GPU has. Throws InputError for a name that no GPU has, and for what is no
/// architecture.
Specs::const_iterator findIn(const Specs& specs, const GpuOption& option) {
  if (!option.gpu.empty() && !option.architecture.empty()) {
    throw InputError(tr("--gpu and --arch both select a GPU: give one of them"));
  }
  if (!option.architecture.empty()) {
    const std::string capability = figures::computeCapability(figures::targetOfArchitecture(option.architecture));
    return std::ranges::find(specs, capability, &measuring::GpuSpec::computeCapability);
  }
  if (option.gpu.empty() && !specs.empty()) {
    return specs.begin() + static_cast<std::ptrdiff_t>(measuring::defaultGpuAmong(specs));
  }
  const auto named = std::ranges::find_if(
      specs, [&](const measuring::GpuSpec& spec) { return spec.name.find(option.gpu) != std::string::npos; });
  if (named == specs.end()) { throw InputError(trf("--gpu {}: assets/gpus.json has no GPU of that name", option.gpu)); }
  return named;
}

}  // namespace

void GpuOption::addTo(CLI::App& command, const std::string& prefix) {
  command.add_option("--gpu", gpu, prefix + tr("GPU of assets/gpus.json, or part of its name"));
  command.add_option("--arch", architecture,
                     prefix + tr("Architecture, such as sm_75, sm_86 or sm_90, instead of a GPU"));
}

int GpuOption::indexAmong(const std::vector<measuring::GpuSpec>& specs) const {
  const auto spec = findIn(specs, *this);
  if (spec == specs.end()) {
    throw InputError(trf("--arch {}: assets/gpus.json has no GPU of this architecture", architecture));
  }
  return static_cast<int>(spec - specs.begin());
}

figures::CodeTarget GpuOption::codeTarget() const {
  const Specs specs = measuring::knownGpus();
  const auto spec = findIn(specs, *this);
  return spec == specs.end() ? figures::targetOfArchitecture(architecture) : figures::codeTarget(*spec);
}

}  // namespace haloscope
