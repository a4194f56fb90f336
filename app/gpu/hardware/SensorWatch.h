#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "hardware/Sensors.h"

namespace haloscope::hardware {

/// Polls a GPU's sensors on its own thread, several times per second, while requested.
class SensorWatch {
 public:
  explicit SensorWatch(std::shared_ptr<const gpu::Device> device);
  SensorWatch(const SensorWatch&) = delete;
  SensorWatch& operator=(const SensorWatch&) = delete;
  ~SensorWatch();

  /// Starts or stops polling. Starting discards earlier readings. Never waits.
  void watch(bool wanted);
  /// Conditions over the last two seconds of polling. Never waits for a reading.
  [[nodiscard]] Conditions conditions() const;

 private:
  void work(const std::stop_token& stop);

  std::shared_ptr<const gpu::Device> device_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool wanted_ = false;
  std::deque<SensorReading> readings_;  ///< newest last
  std::jthread thread_;                 ///< last: uses everything above
};

}  // namespace haloscope::hardware
