#include "gpu/Bench.h"

#include <algorithm>

#include "gpu/CopyTest.h"
#include "gpu/LaunchArrays.h"

namespace haloscope::gpu {

BenchResult bench(const std::shared_ptr<const Device>& device, const KernelText& text, const Program& program,
                  const Launch& launch, const BenchOptions& options) {
  Kernel kernel(device, text, program);
  const LaunchArrays arrays(kernel, program, launch);
  constexpr std::size_t kLeastTraffic = std::size_t{256} << 20U;
  CopyTest copy(device, std::max(arrays.bytes(), kLeastTraffic) / 2);
  EventPair events(device);
  const Stream stream(device);
  const auto timeKernel = [&] {
    events.begin.record(stream);
    kernel.launch(launch.configuration, arrays.arguments(), stream);
    events.end.record(stream);
    stream.synchronize();
    return events.milliseconds();
  };

  for (int i = 0; i < options.warmups; ++i) {
    (void)timeKernel();
    (void)copy.driverCopy(stream);
    (void)copy.kernelCopy(stream);
  }
  std::vector<double> ofKernel;
  std::vector<double> ofDriverCopy;
  std::vector<double> ofKernelCopy;
  for (int round = 0; round < options.rounds; ++round) {
    for (int i = 0; i < options.launches; ++i) { ofKernel.push_back(timeKernel()); }
    for (int i = 0; i < options.launches; ++i) { ofDriverCopy.push_back(copy.driverCopy(stream)); }
    for (int i = 0; i < options.launches; ++i) { ofKernelCopy.push_back(copy.kernelCopy(stream)); }
  }

  const auto rate = [](double bytes, const Spread& spread) {
    return spread.medianMs > 0 ? bytes / (spread.medianMs * 1e6) : 0.0;
  };
  BenchResult result;
  result.kernel = spreadOf(std::move(ofKernel));
  result.bytes = static_cast<double>(arrays.bytes());
  result.effectiveGBs = rate(result.bytes, result.kernel);
  const Spread driverCopy = spreadOf(std::move(ofDriverCopy));
  const Spread kernelCopy = spreadOf(std::move(ofKernelCopy));
  const bool kernelWins = kernelCopy.medianMs < driverCopy.medianMs;
  result.copy = kernelWins ? kernelCopy : driverCopy;
  result.copyKind = kernelWins ? "float4 kernel" : "cuMemcpyDtoD";
  result.copyBytes = copy.traffic();
  result.copyGBs = rate(result.copyBytes, result.copy);
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

}  // namespace haloscope::gpu
