#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "gpu/Sensors.h"

namespace haloscope::gpu {

/// Reads a GPU's sensors on a thread of its own, some times a second, while someone wants to know.
class SensorWatch {
 public:
  explicit SensorWatch(std::shared_ptr<const Device> device);
  SensorWatch(const SensorWatch&) = delete;
  SensorWatch& operator=(const SensorWatch&) = delete;
  ~SensorWatch();

  /// Whether to read on. Readings of an earlier time are forgotten when it begins anew. Never waits.
  void watch(bool wanted);
  /// Of the last two seconds that were watched. Never waits for a reading.
  [[nodiscard]] Conditions conditions() const;

 private:
  void work(const std::stop_token& stop);

  std::shared_ptr<const Device> device_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool wanted_ = false;
  std::deque<SensorReading> readings_;  ///< newest last
  std::jthread thread_;                 ///< last: it uses everything above
};

}  // namespace haloscope::gpu
