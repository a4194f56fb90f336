#include "hardware/Bench.h"

#include <algorithm>

#include "driver/LaunchArrays.h"
#include "hardware/CopyTest.h"
#include "hardware/LaunchTimer.h"

namespace haloscope::hardware {

double occupancyOf(const gpu::Kernel& kernel, const LaunchConfiguration& configuration) {
  const int threads = kernel.device()->properties().threadsPerMultiprocessor;
  if (threads <= 0) { return 0; }
  return static_cast<double>(kernel.residentBlocks(configuration)) * configuration.warpsPerBlock() * kWarpSize /
         threads;
}

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
  result.warmups = timer.warmUp(launchKernel, options.warmups, options.warmupMs);
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

  result.conditions = conditionsOf(readings);
  result.kernel = gpu::spreadOf(std::move(ofKernel));
  result.bytes = options.bytes > 0 ? options.bytes : static_cast<double>(arrays.bytes());
  result.effectiveGBs = result.kernel.perNanosecond(result.bytes);
  const CopyTimes::Best best = copies.best();
  result.copy = best.spread;
  result.copyKind = best.kind;
  result.copyBytes = copy->traffic();
  result.copyGBs = best.gbs;
  result.fractionOfCopy = result.copyGBs > 0 ? result.effectiveGBs / result.copyGBs : 0;

  result.resources = kernel.resources();
  result.residentBlocks = kernel.residentBlocks(launch.configuration);
  result.occupancy = occupancyOf(kernel, launch.configuration);
  return result;
}

}  // namespace haloscope::hardware
