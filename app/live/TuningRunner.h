#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "measuring/Tuning.h"

namespace haloscope {

/// Fills tuning maps on a worker thread, cell by cell. A newer request replaces a stale one, whether waiting or
/// running.
class TuningRunner {
 public:
  TuningRunner();
  ~TuningRunner();
  TuningRunner(const TuningRunner&) = delete;
  TuningRunner& operator=(const TuningRunner&) = delete;

  void request(measuring::TuningRequest request);
  /// Nobody wants to know any more: what runs ends soon.
  void cancel();
  [[nodiscard]] bool busy() const;
  /// The map as it is now, if it has changed since the last call. Never blocks.
  std::optional<std::shared_ptr<const measuring::TuningMap>> poll();
  /// Blocks until the newest request is finished or was cancelled.
  void wait();

 private:
  void work(const std::stop_token& stop);
  void publish(measuring::TuningMap map, const std::stop_token& cancelled);

  measuring::Tuner tuner_;                             ///< the worker's own
  std::shared_ptr<const measuring::TuningMap> known_;  ///< ... the last one whose cells were finished
  std::string knownText_;                              ///< ... of the kernel, when they were
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<measuring::TuningRequest> pending_;
  std::stop_source running_;
  bool busy_ = false;
  std::optional<std::shared_ptr<const measuring::TuningMap>> newest_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
