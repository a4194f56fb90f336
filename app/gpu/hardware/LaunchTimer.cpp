#include "hardware/LaunchTimer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::hardware {

namespace {

constexpr int kRing = 16;
// Poll for short work: sleeping would take longer than the work.
constexpr auto kAwake = std::chrono::milliseconds(1);
constexpr auto kLook = std::chrono::microseconds(50);
// Excess over the expected time after which a kernel is assumed never to end.
constexpr double kPatienceMs = 2000;

}  // namespace

LaunchTimer::LaunchTimer(std::shared_ptr<const gpu::Device> device) : device_(std::move(device)), stream_(device_) {
  for (int i = 0; i < kRing; ++i) { ring_.push_back(std::make_unique<gpu::EventPair>(device_)); }
}

std::vector<double> LaunchTimer::time(const Launch& launch, int count, double batchMs, const std::stop_token& stop,
                                      const std::function<void()>& meanwhile) {
  std::vector<double> milliseconds;
  int batch = 1;  // its duration is not known yet
  double expectedMs = 0;
  while (static_cast<int>(milliseconds.size()) < count && !stop.stop_requested()) {
    const int left = count - static_cast<int>(milliseconds.size());
    const std::vector<double> times = timeBatch(launch, std::min(batch, left), expectedMs, meanwhile);
    milliseconds.insert(milliseconds.end(), times.begin(), times.end());
    expectedMs = times.back();
    const double affordable = batchMs / std::max(expectedMs, 1e-4);
    batch = static_cast<int>(std::clamp(affordable, 1.0, static_cast<double>(kRing)));
  }
  return milliseconds;
}

int LaunchTimer::warmUp(const Launch& launch, int count, double milliseconds) {
  int launches = 0;
  for (double passed = 0; launches < count || passed < milliseconds;) {
    const std::vector<double> times = time(launch, std::max(count, 1));
    passed = std::accumulate(times.begin(), times.end(), passed);
    launches += static_cast<int>(times.size());
    if (passed <= 0) { break; }
  }
  return launches;
}

std::vector<double> LaunchTimer::timeBatch(const Launch& launch, int count, double expectedMs,
                                           const std::function<void()>& meanwhile) {
  for (int i = 0; i < count; ++i) {
    gpu::EventPair& events = *ring_[static_cast<std::size_t>(i)];
    events.begin.record(stream_);
    launch(stream_);
    events.end.record(stream_);
  }
  if (meanwhile) { meanwhile(); }
  const gpu::Event& last = ring_[static_cast<std::size_t>(count - 1)]->end;
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> limit(kPatienceMs + count * expectedMs);
  while (!last.passed()) {
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (waited > limit) {
      device_->abandon();
      throw gpu::Error(trf("the kernel did not end within {:.1f} s, so the GPU was abandoned", limit.count() / 1e3),
                       gpu::Driver::kLaunchTimeout);
    }
    if (waited > kAwake) { std::this_thread::sleep_for(kLook); }
  }
  std::vector<double> milliseconds;
  for (int i = 0; i < count; ++i) { milliseconds.push_back(ring_[static_cast<std::size_t>(i)]->milliseconds()); }
  return milliseconds;
}

}  // namespace haloscope::hardware
