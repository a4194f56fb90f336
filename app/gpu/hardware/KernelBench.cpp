#include "hardware/KernelBench.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "driver/LaunchArrays.h"

namespace haloscope::hardware {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBatchMs = 8;    // queued at once: the longest delay of a frame
constexpr double kWarmUpMs = 60;  // an idle GPU takes a while to raise its clock
constexpr int kFewest = 3;

}  // namespace

KernelBench::KernelBench(std::shared_ptr<const gpu::Device> device)
    : device_(std::move(device)), sensors_(*device_), fields_(device_), timer_(device_) {}

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
  }
  const gpu::LaunchArrays others(kernel, program, launch, elsewhere);
  const gpu::Arguments arguments = others.argumentsWith(program, addresses);
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
    fields_.fill(*memory, element, timer_.stream());
  }
  return memory->address();
}

}  // namespace haloscope::hardware
