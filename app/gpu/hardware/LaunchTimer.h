#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "driver/Event.h"

namespace haloscope::hardware {

/// Times work queued on its own stream, with a ring of event pairs. A few launches are queued at once, so that the GPU
/// never waits for the host; their times are collected when all have finished.
class LaunchTimer {
 public:
  explicit LaunchTimer(std::shared_ptr<const gpu::Device> device);

  /// Queues one launch. Throws Error.
  using Launch = std::function<void(const gpu::Stream&)>;

  [[nodiscard]] const gpu::Stream& stream() const { return stream_; }
  /// Milliseconds of each of `count` launches. Waits for them, calling `meanwhile` while they run. At most `batchMs` of
  /// work, estimated from the last batch, is queued at once, so that other users of the GPU such as a window get their
  /// turn. When asked to stop, returns the times so far. Throws Error; if a launch takes seconds longer than the one
  /// before it, the device is abandoned first, because every other call would wait for it.
  std::vector<double> time(const Launch& launch, int count, double batchMs = 1e9, const std::stop_token& stop = {},
                           const std::function<void()>& meanwhile = {});

  /// Launches until there were `count` of them and they took so many milliseconds together: an idle GPU takes a while
  /// to raise its clock. Returns how many.
  int warmUp(const Launch& launch, int count, double milliseconds);

 private:
  /// `expectedMs`: duration of each launch; 0 if unknown.
  [[nodiscard]] std::vector<double> timeBatch(const Launch& launch, int count, double expectedMs,
                                              const std::function<void()>& meanwhile);

  std::shared_ptr<const gpu::Device> device_;
  std::vector<std::unique_ptr<gpu::EventPair>> ring_;
  gpu::Stream stream_;  ///< last: its destructor waits for work that uses the events
};

}  // namespace haloscope::hardware
