#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/Event.h"
#include "driver/Kernel.h"
#include "driver/LaunchArrays.h"
#include "driver/Spread.h"

namespace haloscope::gpu {

/// Runs and times one kernel sweep after sweep without ever waiting: launches are queued on a stream, times come from a
/// ring of events checked by poll().
class SweepRunner {
 public:
  static constexpr std::size_t kRing = 64;
  static constexpr int kMostSweeps = 64;

  /// `arrays` are the objects of `program` whose addresses are passed to each sweep(); every other array of `launch` is
  /// copied to the device now. `alternating`: a parameter that is 0 and 1 in turn, from sweep to sweep; empty: none.
  /// Throws Error, InputError.
  SweepRunner(std::shared_ptr<Kernel> kernel, const Program& program, const Launch& launch,
              const std::vector<ObjectId>& arrays, const std::string& alternating = {});
  SweepRunner(std::shared_ptr<Kernel> kernel, const Program& program, const Launch& launch, ObjectId input,
              ObjectId output)
      : SweepRunner(std::move(kernel), program, launch, std::vector{input, output}) {}

  [[nodiscard]] const Stream& stream() const { return stream_; }
  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }

  /// Queues one sweep from `input` to `output`, timed if an event pair of the ring is free. Throws Error.
  void sweep(DeviceAddress input, DeviceAddress output) { sweep(std::array{input, output}); }
  /// The same, with an address for each of the arrays.
  void sweep(std::span<const DeviceAddress> addresses);
  /// The next sweep is the first one again: of an alternating parameter.
  void restart() { turn_ = 0; }
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
  std::vector<std::vector<std::size_t>> places_;  ///< of each array in Program::parameters
  std::optional<std::size_t> alternating_;        ///< likewise
  std::uint64_t turn_ = 0;
  std::vector<std::unique_ptr<EventPair>> events_;
  std::vector<EventPair*> free_;
  std::deque<EventPair*> pending_;  ///< oldest first
  std::deque<double> ring_;
  std::uint64_t sweeps_ = 0;
  Stream stream_;  ///< last: its destructor waits for kernels that use the rest
};

}  // namespace haloscope::gpu
