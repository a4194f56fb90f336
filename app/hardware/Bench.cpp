#include "hardware/Bench.h"

#include <algorithm>
#include <numeric>

#include "gpu/LaunchArrays.h"
#include "hardware/CopyTest.h"
#include "hardware/LaunchTimer.h"

namespace haloscope::hardware {

BenchResult bench(const gpu::Clearance& clearance, const std::shared_ptr<const gpu::Device>& device,
                  const gpu::KernelText& text, const Program& program, const Launch& launch,
                  const BenchOptions& options) {
  gpu::Kernel kernel(clearance, device, text, program);
  const gpu::LaunchArrays arrays(kernel, program, launch);
  constexpr std::size_t kLeastTraffic = std::size_t{256} << 20U;
  const auto copy = std::make_shared<CopyTest>(device, std::max(arrays.bytes(), kLeastTraffic) / 2);
  LaunchTimer timer(device);
  const Sensors sensors(*device);
  const auto launchKernel = [&](const gpu::Stream& stream) {
    kernel.launch(launch.configuration, arrays.arguments(), stream);
  };

  BenchResult result;
  for (double milliseconds = 0; result.warmups < options.warmups || milliseconds < options.warmupMs;) {
    const std::vector<double> times = timer.time(launchKernel, std::max(options.warmups, 1));
    milliseconds = std::accumulate(times.begin(), times.end(), milliseconds);
    result.warmups += static_cast<int>(times.size());
    if (milliseconds <= 0) { break; }
  }
  CopyTimes(copy, timer).round(1);
  CopyTimes copies(copy, timer);
  std::vector<double> ofKernel;
  std::vector<SensorReading> readings;
  for (int round = 0; round < options.rounds; ++round) {
    // The sensors are read while the GPU is busy, after all timed work has been queued.
    const std::vector<double> times =
        timer.time(launchKernel, options.launches, 1e9, {}, [&] { readings.push_back(sensors.read()); });
    ofKernel.insert(ofKernel.end(), times.begin(), times.end());
    copies.round(options.launches);
  }

  const auto rate = [](double bytes, const gpu::Spread& spread) {
    return spread.medianMs > 0 ? bytes / (spread.medianMs * 1e6) : 0.0;
  };
  result.conditions = conditionsOf(readings);
  result.kernel = gpu::spreadOf(std::move(ofKernel));
  result.bytes = static_cast<double>(arrays.bytes()) * static_cast<double>(options.steps);
  result.effectiveGBs = rate(result.bytes, result.kernel);
  const CopyTimes::Best best = copies.best();
  result.copy = best.spread;
  result.copyKind = best.kind;
  result.copyBytes = copy->traffic();
  result.copyGBs = best.gbs;
  result.fractionOfCopy = result.copyGBs > 0 ? result.effectiveGBs / result.copyGBs : 0;

  result.resources = kernel.resources();
  result.residentBlocks = kernel.residentBlocks(launch.configuration);
  const int threads = device->properties().threadsPerMultiprocessor;
  if (threads > 0) {
    result.occupancy =
        static_cast<double>(result.residentBlocks) * launch.configuration.warpsPerBlock() * kWarpSize / threads;
  }
  return result;
}

}  // namespace haloscope::hardware
