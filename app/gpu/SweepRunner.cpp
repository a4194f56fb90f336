#include "gpu/SweepRunner.h"

#include <algorithm>

namespace haloscope::gpu {

SweepRunner::SweepRunner(std::shared_ptr<Kernel> kernel, const Program& program, const Launch& launch, ObjectId input,
                         ObjectId output)
    : kernel_(std::move(kernel)),
      configuration_(launch.configuration),
      others_(*kernel_, program, launch, {input, output}),
      arguments_(others_.arguments()),
      stream_(kernel_->device()) {
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].type != ValueType::Pointer) { continue; }
    if (program.parameters[i].object == input) { inputArguments_.push_back(i); }
    if (program.parameters[i].object == output) { outputArguments_.push_back(i); }
  }
  for (std::size_t i = 0; i < kRing; ++i) {
    events_.push_back(std::make_unique<EventPair>(kernel_->device()));
    free_.push_back(events_.back().get());
  }
}

void SweepRunner::sweep(DeviceAddress input, DeviceAddress output) {
  for (const std::size_t i : inputArguments_) { arguments_.set(i, input); }
  for (const std::size_t i : outputArguments_) { arguments_.set(i, output); }
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
