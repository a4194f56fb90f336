#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "measuring/HardwareMeasurement.h"

namespace haloscope {

/// Reads hardware counters on a worker thread, one launch after another. Newer requests replace those that wait.
class HardwareRunner {
 public:
  /// Makes one reading; throws what measureHardware() throws.
  using Measure = std::function<measuring::HardwareReading(const measuring::HardwareRequest&, const std::stop_token&)>;

  /// What came of a request: a reading, or why there is none.
  struct Result {
    std::string id;                                             ///< of the kernel
    std::shared_ptr<const measuring::HardwareReading> reading;  ///< null on error
    std::string error;                                          ///< one sentence
    bool unavailable = false;                                   ///< no counters can be read here, of whatever kernel
  };

  /// Without `measure`, the first GPU is looked for when something is requested, and measured.
  explicit HardwareRunner(Measure measure = {});
  ~HardwareRunner();
  HardwareRunner(const HardwareRunner&) = delete;
  HardwareRunner& operator=(const HardwareRunner&) = delete;

  /// The first is measured first. Where no counters can be read at all, the others are dropped.
  void request(std::vector<measuring::HardwareRequest> requests);
  /// The kernel that is being measured; empty when there is nothing to do.
  [[nodiscard]] std::string measuring() const;
  /// Each result once, in the order of the requests. Never blocks.
  std::optional<Result> poll();
  /// Blocks until nothing is left to be measured.
  void wait();

 private:
  [[nodiscard]] Result make(const measuring::HardwareRequest& request, const std::stop_token& stop) const;
  void work(const std::stop_token& stop);

  const Measure measure_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<measuring::HardwareRequest> pending_;
  std::deque<Result> results_;
  std::string measuring_;
  std::stop_source running_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
