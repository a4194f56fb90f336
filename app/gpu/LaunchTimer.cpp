#include "gpu/LaunchTimer.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace haloscope::gpu {

namespace {

constexpr int kRing = 16;
// The first of a batch would begin while the host still queues it, some microseconds after its event: one that is not
// timed goes before it, unless it takes so long that this cannot be seen.
constexpr double kLongMs = 1;
constexpr auto kLook = std::chrono::microseconds(50);

}  // namespace

LaunchTimer::LaunchTimer(std::shared_ptr<const Device> device) : device_(std::move(device)), stream_(device_) {
  for (int i = 0; i < kRing; ++i) { ring_.push_back(std::make_unique<EventPair>(device_)); }
}

std::vector<double> LaunchTimer::time(const Launch& launch, int count, double batchMs, const std::stop_token& stop,
                                      const std::function<void()>& meanwhile) {
  std::vector<double> milliseconds;
  int batch = 1;  // nothing is known about its time yet
  bool runUp = true;
  while (static_cast<int>(milliseconds.size()) < count && !stop.stop_requested()) {
    const int left = count - static_cast<int>(milliseconds.size());
    const std::vector<double> times = timeBatch(launch, std::min(batch, left), runUp, meanwhile);
    milliseconds.insert(milliseconds.end(), times.begin(), times.end());
    runUp = times.back() < kLongMs;
    const double affordable = batchMs / std::max(times.back(), 1e-4) - (runUp ? 1 : 0);
    batch = static_cast<int>(std::clamp(affordable, 1.0, static_cast<double>(kRing)));
  }
  return milliseconds;
}

std::vector<double> LaunchTimer::timeBatch(const Launch& launch, int count, bool runUp,
                                           const std::function<void()>& meanwhile) {
  if (runUp) { launch(stream_); }
  for (int i = 0; i < count; ++i) {
    EventPair& events = *ring_[static_cast<std::size_t>(i)];
    events.begin.record(stream_);
    launch(stream_);
    events.end.record(stream_);
  }
  if (meanwhile) { meanwhile(); }
  const Event& last = ring_[static_cast<std::size_t>(count - 1)]->end;
  while (!last.passed()) { std::this_thread::sleep_for(kLook); }
  std::vector<double> milliseconds;
  for (int i = 0; i < count; ++i) { milliseconds.push_back(ring_[static_cast<std::size_t>(i)]->milliseconds()); }
  return milliseconds;
}

}  // namespace haloscope::gpu
