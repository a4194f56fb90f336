#include "hardware/ProblemBench.h"

#include <utility>
#include <vector>

namespace haloscope::hardware {

namespace {

constexpr int kCopiesPerRound = 3;  // of each kind

std::size_t bytesOf(ValueType element, std::int64_t elements) {
  return static_cast<std::size_t>(elements) * static_cast<std::size_t>(sizeInMemory(element));
}

}  // namespace

ProblemBench::ProblemBench(std::shared_ptr<const gpu::Device> device, ValueType element, std::int64_t elements)
    : device_(std::move(device)),
      element_(element),
      input_(device_, bytesOf(element, elements)),
      output_(device_, input_.bytes()),
      expected_(device_, input_.bytes()),
      fields_(device_),
      sensors_(*device_),
      copy_(std::make_shared<CopyTest>(device_, input_.bytes())),
      timer_(device_),
      copies_(copy_, timer_) {
  fields_.fill(input_, element_, timer_.stream());
  CopyTimes(copy_, timer_).round(1);  // their first launches
}

double ProblemBench::bytesNeeded(ValueType element, std::int64_t elements) {
  return 5 * static_cast<double>(bytesOf(element, elements));
}

ProblemBench::Candidate::Candidate(gpu::Kernel& kernel, const Program& program, const Launch& launch, ObjectId input,
                                   ObjectId output)
    : kernel_(kernel),
      program_(program),
      configuration_(launch.configuration),
      input_(input),
      output_(output),
      others_(kernel, program, launch, {input, output}) {}

void ProblemBench::Candidate::launch(gpu::DeviceAddress from, gpu::DeviceAddress to, const gpu::Stream& stream) const {
  kernel_.launch(configuration_, others_.argumentsWith(program_, {{input_, from}, {output_, to}}), stream);
}

void ProblemBench::expectFrom(const Candidate& candidate, std::int64_t times) {
  const gpu::Stream& stream = timer_.stream();
  gpu::DeviceAddress from = input_.address();
  for (std::int64_t left = times; left > 0; --left) {
    const gpu::DeviceMemory& to = left % 2 == 1 ? expected_ : output_;
    gpu::copyAsync(stream, to.address(), input_.address(), input_.bytes());
    candidate.launch(from, to.address(), stream);
    from = to.address();
  }
  stream.synchronize();
}

std::vector<double> ProblemBench::expectedAt(const std::vector<std::uint64_t>& elements) {
  return fields_.pick(expected_, element_, elements, timer_.stream());
}

DeviceFields::Difference ProblemBench::differenceOf(const Candidate& candidate, double tolerance) {
  const gpu::Stream& stream = timer_.stream();
  gpu::copyAsync(stream, output_.address(), input_.address(), input_.bytes());
  candidate.launch(input_.address(), output_.address(), stream);
  return fields_.compare(output_, expected_, element_, tolerance, stream);
}

Counters ProblemBench::counters(const Candidate& candidate) {
  const gpu::Stream& stream = timer_.stream();
  const auto launch = [&] {
    candidate.launch(input_.address(), output_.address(), stream);
    stream.synchronize();
  };
  return countersOf(device_, launch, [] {});
}

ProblemBench::Timing ProblemBench::time(const Candidate& candidate, const BenchOptions& options) {
  const auto launch = [&](const gpu::Stream& stream) { candidate.launch(input_.address(), output_.address(), stream); };
  Timing timing;
  timing.warmups = timer_.warmUp(launch, options.warmups, options.warmupMs);
  std::vector<double> times;
  std::vector<SensorReading> readings;
  for (int round = 0; round < options.rounds; ++round) {
    // The sensors are read while the GPU is busy, after all timed work has been queued.
    const std::vector<double> more =
        timer_.time(launch, options.launches, 1e9, {}, [&] { readings.push_back(sensors_.read()); });
    times.insert(times.end(), more.begin(), more.end());
    copies_.round(kCopiesPerRound);
  }
  timing.time = gpu::spreadOf(std::move(times));
  timing.conditions = conditionsOf(readings);
  return timing;
}

}  // namespace haloscope::hardware
