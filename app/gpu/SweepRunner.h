#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "gpu/Event.h"
#include "gpu/Kernel.h"
#include "gpu/LaunchArrays.h"
#include "gpu/Spread.h"

namespace haloscope::gpu {

/// Runs and times one kernel sweep after sweep without ever waiting: launches are queued on a stream, times come from a
/// ring of events checked by poll().
class SweepRunner {
 public:
  static constexpr std::size_t kRing = 64;
  static constexpr int kMostSweeps = 64;

  /// `input` and `output` are the objects of `program` passed to each sweep(); every other array of `launch` is copied
  /// to the device now. Throws Error, InputError.
  SweepRunner(std::shared_ptr<Kernel> kernel, const Program& program, const Launch& launch, ObjectId input,
              ObjectId output);

  [[nodiscard]] const Stream& stream() const { return stream_; }
  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }

  /// Queues one sweep from `input` to `output`, timed if an event pair of the ring is free. Throws Error.
  void sweep(DeviceAddress input, DeviceAddress output);
  /// Collects the times of sweeps finished since the last call. Never waits. Throws Error if a kernel failed.
  void poll();
  /// True if nothing is queued or running.
  [[nodiscard]] bool idle() const { return stream_.idle(); }
  /// How many sweeps fit into this many milliseconds, estimated from the ring: 1 … kMostSweeps; 1 while unknown.
  [[nodiscard]] int affordableSweeps(double milliseconds) const;

  /// Milliseconds of the last timed sweeps, at most kRing, newest last.
  [[nodiscard]] const std::deque<double>& ring() const { return ring_; }
  [[nodiscard]] Spread spread() const { return spreadOf({ring_.begin(), ring_.end()}); }
  /// Total sweeps queued.
  [[nodiscard]] std::uint64_t sweeps() const { return sweeps_; }

 private:
  std::shared_ptr<Kernel> kernel_;
  LaunchConfiguration configuration_;
  LaunchArrays others_;
  Arguments arguments_;
  std::vector<std::size_t> inputArguments_, outputArguments_;  ///< places in Program::parameters
  std::vector<std::unique_ptr<EventPair>> events_;
  std::vector<EventPair*> free_;
  std::deque<EventPair*> pending_;  ///< oldest first
  std::deque<double> ring_;
  std::uint64_t sweeps_ = 0;
  Stream stream_;  ///< last: its destructor waits for kernels that use the rest
};

}  // namespace haloscope::gpu
