#include "hardware/Peaks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "driver/OwnText.h"
#include "hardware/CopyTest.h"
#include "hardware/LaunchTimer.h"
#include "hardware/Sensors.h"
#include "program/ResourceFolder.h"

namespace haloscope::hardware {

namespace {

// Eight independent chains hide the latency of each; the store, never taken, keeps the compiler from dropping them.
constexpr const char* kMultiplyAddsText = R"(
__global__ void multiplyAdds(REAL* never, REAL factor, int rounds) {
  REAL chain[8];
  for (int c = 0; c < 8; ++c) { chain[c] = threadIdx.x + c; }
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < 16; ++step) {
#pragma unroll
      for (int c = 0; c < 8; ++c) { chain[c] = chain[c] * factor + factor; }
    }
  }
  REAL sum = 0;
  for (int c = 0; c < 8; ++c) { sum += chain[c]; }
  if (sum == (REAL)-1) { *never = sum; }
}
)";
// Change the name with the method, so that old figures are not reused.
constexpr const char* kMethod = "best of six copies, multiply-adds";
constexpr std::int64_t kStaleSeconds = std::int64_t{30} * 24 * 3600;
constexpr std::uintmax_t kCacheBytes = 1U << 16U;
constexpr double kOperationsPerRound = 16 * 8 * 2;

/// 10^9 operations per second, best of several.
double measureMultiplyAdds(const std::shared_ptr<const gpu::Device>& device, LaunchTimer& timer, const char* real,
                           std::uint64_t factorBits) {
  const auto kernel =
      gpu::OwnText(kMultiplyAddsText).compile(device, "multiply_adds.cu", "multiplyAdds", {{"REAL", real}});
  const gpu::DeviceMemory never(device, sizeof(double));
  LaunchConfiguration configuration;
  configuration.block.x = 256;
  configuration.grid.x = static_cast<std::uint32_t>(
      std::max(1, device->properties().multiprocessors * kernel->residentBlocks(configuration)));
  const double threads = static_cast<double>(configuration.grid.count() * configuration.block.count());
  double best = 0;
  for (std::uint64_t rounds = 64; rounds <= 4096; rounds *= 4) {  // about a millisecond at the end
    const std::array<std::uint64_t, 3> arguments{never.address(), factorBits, rounds};
    const auto launch = [&](const gpu::Stream& stream) { kernel->launch(configuration, arguments, stream); };
    for (const double milliseconds : timer.time(launch, 3)) {
      if (milliseconds > 0) {
        best = std::max(best, threads * kOperationsPerRound * static_cast<double>(rounds) / (milliseconds * 1e6));
      }
      // A GPU with few double-precision units needs no longer run.
      if (milliseconds > 20) { return best; }
    }
  }
  return best;
}

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string cacheEntryOf(const Peaks& peaks) {
  return nlohmann::json{{"copy_gb_per_s", peaks.copyGBs},
                        {"copy_kind", peaks.copyKind},
                        {"fp32_gflops", peaks.fp32GFlops},
                        {"fp64_gflops", peaks.fp64GFlops},
                        {"measured", peaks.measured}}
      .dump();
}

std::optional<Peaks> peaksIn(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    return Peaks{json.at("copy_gb_per_s"), json.at("copy_kind"), json.at("fp32_gflops"),
                 json.at("fp64_gflops"),   json.at("measured"),  {}};
  } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

}  // namespace

Peaks measurePeaks(const std::shared_ptr<const gpu::Device>& device) {
  LaunchTimer timer(device);
  const Sensors sensors(*device);
  std::vector<SensorReading> readings;
  Peaks peaks;
  {
    // 512 MiB read and written; less on a small or busy GPU.
    const std::size_t wanted = std::min<std::size_t>(std::size_t{256} << 20U, device->freeBytes() / 8);
    const auto copy = std::make_shared<CopyTest>(device, wanted);
    CopyTimes(copy, timer).round(8);  // a GPU that idled takes a while to raise its clock
    CopyTimes times(copy, timer);
    for (int round = 0; round < 3; ++round) {
      times.round(5);
      readings.push_back(sensors.read());
    }
    const CopyTimes::Best best = times.best();
    peaks.copyKind = best.kind;
    if (best.spread.minimumMs > 0) { peaks.copyGBs = copy->traffic() / (best.spread.minimumMs * 1e6); }
  }
  peaks.fp32GFlops = measureMultiplyAdds(device, timer, "float", std::bit_cast<std::uint32_t>(0.5F));
  readings.push_back(sensors.read());
  peaks.fp64GFlops = measureMultiplyAdds(device, timer, "double", std::bit_cast<std::uint64_t>(0.5));
  peaks.disturbance = conditionsOf(readings).disturbance;
  peaks.measured = now();
  return peaks;
}

Peaks knownPeaks(const std::shared_ptr<const gpu::Device>& device, const gpu::DiskCache& cache) {
  const gpu::DeviceProperties& properties = device->properties();
  if (properties.uuid.empty()) { return measurePeaks(device); }
  std::string driver = Sensors(*device).driverVersion();
  if (driver.empty()) { driver = properties.driverVersionText(); }
  const std::string key = gpu::fingerprint({kMethod, properties.uuid, driver});
  if (const auto kept = cache.read(key)) {
    const std::optional<Peaks> peaks = peaksIn(*kept);
    if (peaks && peaks->copyGBs > 0 && peaks->measured <= now() && now() - peaks->measured < kStaleSeconds) {
      return *peaks;
    }
  }
  const Peaks peaks = measurePeaks(device);
  if (peaks.disturbance.empty()) { cache.write(key, cacheEntryOf(peaks)); }
  return peaks;
}

Peaks knownPeaks(const std::shared_ptr<const gpu::Device>& device) {
  const std::filesystem::path folder = cacheFolder();
  return knownPeaks(device, folder.empty() ? gpu::DiskCache() : gpu::DiskCache(folder / "peaks", kCacheBytes));
}

}  // namespace haloscope::hardware
