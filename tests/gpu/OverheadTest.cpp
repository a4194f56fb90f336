#include <array>
#include <chrono>
#include <cstdio>

#include "GpuSupport.h"
#include "driver/Driver.h"
#include "driver/LaunchArrays.h"
#include "driver/Spread.h"
#include "driver/SweepRunner.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "hardware/LaunchTimer.h"
#include "measuring/GpuText.h"

/// What timing costs: the same kernel timed by Haloscope and by a loop of events written by hand, round by round in one
/// process.
namespace haloscope::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 9;
constexpr int kLaunches = 15;
constexpr double kMostOverhead = 0.02;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class OverheadTest : public OnGpu, public testing::WithParamInterface<int> {};

TEST_P(OverheadTest, IsAtMostTwoPercentOfAHandWrittenEventLoop) {
  const Catalogue& catalogue = theCatalogue();
  const KernelFile& file = catalogue.at("stencil/tiled");
  const Bindings bindings = file.bind({{"N", GetParam()}});
  const Program program = experiment::compile(file, bindings);
  const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Zero);
  const auto kernel =
      std::make_shared<Kernel>(TestClearance::make(), device_, measuring::gpuText(file, bindings), program);
  const LaunchArrays arrays(*kernel, program, launch);

  const Driver& driver = device_->driver();
  const Stream stream(device_);
  std::array<Driver::Event, 2> events{};
  for (Driver::Event& event : events) { driver.check(driver.eventCreate(&event, 0), "cuEventCreate"); }
  const auto byHand = [&](std::vector<double>& times) {
    for (int i = 0; i < kLaunches; ++i) {
      driver.eventRecord(events[0], stream.handle());
      kernel->launch(launch.configuration, arrays.arguments(), stream);
      driver.eventRecord(events[1], stream.handle());
      driver.streamSynchronize(stream.handle());
      float milliseconds = 0;
      driver.check(driver.eventElapsedTime(&milliseconds, events[0], events[1]), "cuEventElapsedTime");
      times.push_back(milliseconds);
    }
  };

  hardware::LaunchTimer timer(device_);
  const hardware::LaunchTimer::Launch queue = [&](const Stream& on) {
    kernel->launch(launch.configuration, arrays.arguments(), on);
  };
  SweepRunner runner(kernel, program, launch, program.findObject("in"), program.findObject("out"));
  const std::size_t bytes = launch.arrays[program.findObject("in")].bytes.size();
  const DeviceMemory in(device_, bytes);
  const DeviceMemory out(device_, bytes);

  std::vector<double> hand;
  std::vector<double> timed;
  std::vector<double> swept;
  double handWall = 0;
  double timedWall = 0;
  byHand(hand);  // warms up
  (void)timer.time(queue, kLaunches);
  hand.clear();
  for (int round = 0; round < kRounds; ++round) {
    Clock::time_point begin = Clock::now();
    byHand(hand);
    handWall += millisecondsSince(begin);
    begin = Clock::now();
    const std::vector<double> times = timer.time(queue, kLaunches);
    timedWall += millisecondsSince(begin);
    timed.insert(timed.end(), times.begin(), times.end());
    for (int i = 0; i < kLaunches; ++i) { runner.sweep(in.address(), out.address()); }
    runner.stream().synchronize();
    runner.poll();
    const auto newest = runner.ring().end() - std::min<std::ptrdiff_t>(kLaunches, std::ssize(runner.ring()));
    swept.insert(swept.end(), newest, runner.ring().end());
  }
  for (Driver::Event& event : events) { driver.eventDestroy(event); }

  const double median = spreadOf(hand).medianMs;
  std::printf(
      "N = %d: by hand %.5f ms, bench %.5f ms (%+.2f %%), sweeps %.5f ms (%+.2f %%); wall per launch %+.2f %%\n",
      GetParam(), median, spreadOf(timed).medianMs, 100 * (spreadOf(timed).medianMs / median - 1),
      spreadOf(swept).medianMs, 100 * (spreadOf(swept).medianMs / median - 1), 100 * (timedWall / handWall - 1));
  if (GetParam() == 512) { EXPECT_LE(timedWall, (1 + kMostOverhead) * handWall); }
  EXPECT_LE(spreadOf(timed).medianMs, (1 + kMostOverhead) * median);
  EXPECT_LE(spreadOf(swept).medianMs, (1 + kMostOverhead) * median);
}

INSTANTIATE_TEST_SUITE_P(Sizes, OverheadTest, testing::Values(128, 256, 512),
                         [](const auto& size) { return std::to_string(size.param); });

}  // namespace
}  // namespace haloscope::gpu
