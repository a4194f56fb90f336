#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "gpu/Event.h"

namespace haloscope::gpu {

/// Times what is queued on a stream of its own, by a ring of event pairs. A few launches are queued at once, so that
/// none begins before the host has said what comes next; their times are collected when all have passed.
class LaunchTimer {
 public:
  explicit LaunchTimer(std::shared_ptr<const Device> device);

  /// Queues one launch. Throws Error.
  using Launch = std::function<void(const Stream&)>;

  [[nodiscard]] const Stream& stream() const { return stream_; }
  /// Milliseconds of each of `count` launches. Waits for them, and while they run calls `meanwhile`. At most `batchMs`
  /// of work is queued at once, judging by the last batch: what else uses the GPU, a window above all, gets its turn in
  /// between. When asked to stop, what was timed so far. Throws Error; where a launch takes seconds longer than the
  /// one before it, the device is abandoned first, because every other call would wait for it.
  std::vector<double> time(const Launch& launch, int count, double batchMs = 1e9, const std::stop_token& stop = {},
                           const std::function<void()>& meanwhile = {});

 private:
  /// `expectedMs`: of each launch; 0: nothing is known.
  [[nodiscard]] std::vector<double> timeBatch(const Launch& launch, int count, double expectedMs,
                                              const std::function<void()>& meanwhile);

  std::shared_ptr<const Device> device_;
  std::vector<std::unique_ptr<EventPair>> ring_;
  Stream stream_;  ///< last: its end waits for what uses the events
};

}  // namespace haloscope::gpu
