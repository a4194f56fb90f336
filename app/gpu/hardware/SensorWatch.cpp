#include "hardware/SensorWatch.h"

#include <chrono>
#include <utility>

namespace haloscope::hardware {

namespace {

constexpr auto kPause = std::chrono::milliseconds(200);
constexpr std::size_t kKept = 10;

}  // namespace

SensorWatch::SensorWatch(std::shared_ptr<const gpu::Device> device)
    : device_(std::move(device)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

SensorWatch::~SensorWatch() = default;

void SensorWatch::watch(bool wanted) {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(wanted_, wanted) == wanted) { return; }
  if (wanted) { readings_.clear(); }
  changed_.notify_all();
}

Conditions SensorWatch::conditions() const {
  const std::scoped_lock lock(mutex_);
  return conditionsOf({readings_.begin(), readings_.end()});
}

void SensorWatch::work(const std::stop_token& stop) {
  const Sensors sensors(*device_);
  if (!sensors.missing().empty()) { return; }
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return wanted_; }) && !stop.stop_requested()) {
    lock.unlock();
    SensorReading reading = sensors.read();
    lock.lock();
    if (wanted_) { readings_.push_back(std::move(reading)); }
    if (readings_.size() > kKept) { readings_.pop_front(); }
    changed_.wait_for(lock, stop, kPause, [&] { return !wanted_; });
  }
}

}  // namespace haloscope::hardware
