#include "options/RunDevice.h"

#include <cstdlib>
#include <string>

#include "driver/Occupancy.h"
#include "program/ResourceFolder.h"

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

}  // namespace haloscope
