#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "measuring/HardwareMeasurement.h"
#include "work/Worker.h"

namespace haloscope::measuring {
class GpuGate;
}

namespace haloscope {

/// Reads hardware counters in the background, one launch after another. Newer requests replace older ones.
class HardwareRunner {
 public:
  /// Makes one reading; throws what measureHardware() throws.
  using Measure = std::function<measuring::HardwareReading(const measuring::HardwareRequest&, const std::stop_token&)>;

  /// The result of a request: a reading, or why there is none.
  struct Result {
    std::string id;                                             ///< of the kernel
    std::shared_ptr<const measuring::HardwareReading> reading;  ///< null on error
    std::string error;                                          ///< one sentence
    bool unavailable = false;                                   ///< no counters can be read here for any kernel
  };

  HardwareRunner(work::Pool& pool, Measure measure);

  /// The first is measured first. Where no counters can be read at all, the others are dropped.
  void request(std::vector<measuring::HardwareRequest> requests);
  /// The kernel that is being measured; empty when there is nothing to do.
  [[nodiscard]] std::string measuring() const;
  /// Each result once, in the order of the requests. Never blocks.
  std::optional<Result> poll() { return worker_.poll(); }
  /// Blocks until nothing is left to be measured.
  void wait() { worker_.finish(); }

 private:
  using Requests = std::vector<measuring::HardwareRequest>;

  std::string first_;  ///< kernel of the newest requests
  work::Worker<Requests, Result> worker_;
};

/// Looks for the first GPU when it is called, and measures there. The gate must outlive the function.
[[nodiscard]] HardwareRunner::Measure measuringOnFirstGpu(measuring::GpuGate& gate);

}  // namespace haloscope
