#include "driver/SweepRunner.h"

#include <algorithm>

namespace haloscope::gpu {

SweepRunner::SweepRunner(std::shared_ptr<Kernel> kernel, const Program& program, const Launch& launch,
                         const std::vector<ObjectId>& arrays, const std::string& alternating)
    : kernel_(std::move(kernel)),
      configuration_(launch.configuration),
      others_(*kernel_, program, launch, {arrays.begin(), arrays.end()}),
      arguments_(others_.arguments()),
      places_(arrays.size()),
      stream_(kernel_->device()) {
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (!alternating.empty() && parameter.name == alternating && parameter.type == ValueType::I32) { alternating_ = i; }
    if (parameter.type != ValueType::Pointer) { continue; }
    for (std::size_t array = 0; array < arrays.size(); ++array) {
      if (parameter.object == arrays[array]) { places_[array].push_back(i); }
    }
  }
  for (std::size_t i = 0; i < kRing; ++i) {
    events_.push_back(std::make_unique<EventPair>(kernel_->device()));
    free_.push_back(events_.back().get());
  }
}

void SweepRunner::sweep(std::span<const DeviceAddress> addresses) {
  for (std::size_t array = 0; array < places_.size(); ++array) {
    for (const std::size_t i : places_[array]) { arguments_.set(i, addresses[array]); }
  }
  if (alternating_) {
    arguments_.set(*alternating_, turn_);
    turn_ = 1 - turn_;
  }
  EventPair* const events = free_.empty() ? nullptr : free_.back();
  if (events != nullptr) { events->begin.record(stream_); }
  kernel_->launch(configuration_, arguments_, stream_);
  ++sweeps_;
  if (events != nullptr) {
    events->end.record(stream_);
    free_.pop_back();
    pending_.push_back(events);
  }
}

void SweepRunner::poll() {
  while (!pending_.empty() && pending_.front()->end.passed()) {
    ring_.push_back(pending_.front()->milliseconds());
    if (ring_.size() > kRing) { ring_.pop_front(); }
    free_.push_back(pending_.front());
    pending_.pop_front();
  }
}

int SweepRunner::affordableSweeps(double milliseconds) const {
  if (ring_.empty()) { return 1; }
  const double median = std::max(spread().medianMs, 1e-4);
  return static_cast<int>(std::clamp(milliseconds / median, 1.0, static_cast<double>(kMostSweeps)));
}

}  // namespace haloscope::gpu
