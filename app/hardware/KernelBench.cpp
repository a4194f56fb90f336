#include "hardware/KernelBench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "gpu/Driver.h"
#include "gpu/LaunchArrays.h"
#include "gpu/OwnText.h"
#include "program/Precision.h"

namespace haloscope::hardware {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBatchMs = 8;    // queued at once: the longest delay of a frame
constexpr double kWarmUpMs = 60;  // an idle GPU takes a while to raise its clock
constexpr int kFewest = 3;

constexpr const char* kFillText = R"(
#ifdef HALF
#include <cuda_fp16.h>
#endif
__global__ void fill(REAL* array, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  unsigned bits = (unsigned)i * 2654435761u;
  bits ^= bits >> 15;
  bits *= 2246822519u;
  bits ^= bits >> 13;
  array[i] = (REAL)((int)bits * (1.0f / 2147483648.0f));
}
)";

}  // namespace

KernelBench::KernelBench(std::shared_ptr<const gpu::Device> device)
    : device_(std::move(device)), sensors_(*device_), timer_(device_) {}

KernelBench::Result KernelBench::time(gpu::Kernel& kernel, const Program& program, const Launch& launch,
                                      const Options& options) {
  Result result;
  std::set<ObjectId> elsewhere;
  std::map<ObjectId, gpu::DeviceAddress> addresses;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.space != MemorySpace::Global || !object.extentsAtLaunch) { continue; }
    const std::int64_t bytes = launch.arrays[id].elementCount() * sizeInMemory(object.element);
    addresses[id] = array(object.name, object.element, static_cast<std::size_t>(bytes));
    elsewhere.insert(id);
    result.bytes += static_cast<double>(bytes);
  }
  const gpu::LaunchArrays others(kernel, program, launch, elsewhere);
  gpu::Arguments arguments = others.arguments();
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.type != ValueType::Pointer) { continue; }
    if (const auto found = addresses.find(parameter.object); found != addresses.end()) {
      arguments.set(i, found->second);
    }
  }
  const auto queue = [&](const gpu::Stream& stream) { kernel.launch(launch.configuration, arguments, stream); };

  std::vector<double> warmUp = timer_.time(queue, 2, kBatchMs, options.stop);
  const Clock::time_point begin = Clock::now();
  while (!warm_ && !options.stop.stop_requested() &&
         Clock::now() - begin < std::chrono::duration<double, std::milli>(kWarmUpMs)) {
    warmUp = timer_.time(queue, 4, kBatchMs, options.stop);
  }
  if (warmUp.empty()) { return result; }
  warm_ = true;
  const double affordable = options.budgetMs / std::max(warmUp.back(), 1e-3);
  const int launches =
      static_cast<int>(std::clamp(affordable, double{kFewest}, double(std::max(options.launches, kFewest))));
  std::vector<double> times = timer_.time(queue, launches, kBatchMs, options.stop, [&] {
    if (result.readings.empty()) { result.readings.push_back(sensors_.read()); }
  });
  if (!options.stop.stop_requested()) { result.time = gpu::spreadOf(std::move(times)); }
  return result;
}

gpu::DeviceAddress KernelBench::array(const std::string& name, ValueType element, std::size_t bytes) {
  std::unique_ptr<gpu::DeviceMemory>& memory = arrays_[name];
  if (!memory || memory->bytes() < bytes) {
    memory.reset();  // there may not be room for both
    memory = std::make_unique<gpu::DeviceMemory>(device_, bytes);
    fill(*memory, element);
  }
  return memory->address();
}

void KernelBench::fill(const gpu::DeviceMemory& memory, ValueType element) {
  const gpu::Stream& stream = timer_.stream();
  const std::string real = realTypeName(element);
  if (real.empty()) {
    device_->driver().check(device_->driver().memsetD8Async(memory.address(), 0, memory.bytes(), stream.handle()),
                            "cuMemsetD8Async");
    return;
  }
  std::unique_ptr<gpu::Kernel>& kernel = fills_[element];
  if (!kernel) {
    std::map<std::string, std::string> defines{{"REAL", real}};
    if (element == ValueType::F16) { defines["HALF"] = "1"; }
    kernel = gpu::OwnText(kFillText).compile(device_, "fill.cu", "fill", std::move(defines));
  }
  constexpr std::uint32_t kThreads = 256;
  const std::uint64_t count = memory.bytes() / static_cast<std::size_t>(sizeInMemory(element));
  LaunchConfiguration configuration;
  configuration.block.x = kThreads;
  configuration.grid.x = static_cast<std::uint32_t>((count + kThreads - 1) / kThreads);
  kernel->launch(configuration, std::array<std::uint64_t, 2>{memory.address(), count}, stream);
}

}  // namespace haloscope::hardware
