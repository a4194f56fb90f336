#include "gpu/Peaks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "gpu/CopyTest.h"

namespace haloscope::gpu {

namespace {

// Eight independent chains hide the latency of each; the store, never taken, keeps the compiler from dropping them.
constexpr const char* kText = R"(
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
constexpr double kOperationsPerRound = 16 * 8 * 2;

/// 10^9 operations a second, best of several.
double measureMultiplyAdds(const std::shared_ptr<const Device>& device, const Stream& stream, const char* real,
                           std::uint64_t factorBits) {
  const Kernel kernel(device, {"multiply_adds.cu", kText, {{"REAL", real}}}, "multiplyAdds");
  const DeviceMemory never(device, sizeof(double));
  EventPair events(device);
  LaunchConfiguration configuration;
  configuration.block.x = 256;
  configuration.grid.x = static_cast<std::uint32_t>(
      std::max(1, device->properties().multiprocessors * kernel.residentBlocks(configuration)));
  const double threads = static_cast<double>(configuration.grid.count() * configuration.block.count());
  double best = 0;
  for (std::uint64_t rounds = 64; rounds <= 4096; rounds *= 4) {  // about a millisecond at the end, on any GPU some
    for (int attempt = 0; attempt < 3; ++attempt) {
      events.begin.record(stream);
      kernel.launch(configuration, std::array<std::uint64_t, 3>{never.address(), factorBits, rounds}, stream);
      events.end.record(stream);
      stream.synchronize();
      const double milliseconds = events.milliseconds();
      if (milliseconds > 0) {
        best = std::max(best, threads * kOperationsPerRound * static_cast<double>(rounds) / (milliseconds * 1e6));
      }
      // A GPU with few double-precision units needs no longer run to show it.
      if (milliseconds > 20) { return best; }
    }
  }
  return best;
}

}  // namespace

Peaks measurePeaks(const std::shared_ptr<const Device>& device) {
  const Stream stream(device);
  Peaks peaks;
  {
    // 512 MiB read and written, less on a small or busy GPU.
    const std::size_t wanted = std::min<std::size_t>(std::size_t{256} << 20U, device->freeBytes() / 8);
    CopyTest copy(device, wanted);
    for (int attempt = 0; attempt < 12; ++attempt) {
      const double milliseconds = std::min(copy.driverCopy(stream), copy.kernelCopy(stream));
      if (milliseconds > 0) { peaks.copyGBs = std::max(peaks.copyGBs, copy.traffic() / (milliseconds * 1e6)); }
    }
  }
  peaks.fp32GFlops = measureMultiplyAdds(device, stream, "float", std::bit_cast<std::uint32_t>(0.5F));
  peaks.fp64GFlops = measureMultiplyAdds(device, stream, "double", std::bit_cast<std::uint64_t>(0.5));
  return peaks;
}

}  // namespace haloscope::gpu
