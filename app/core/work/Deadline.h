#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace haloscope::work {

/// Asks for a stop when a time is over, or when `other` does.
class Deadline {
 public:
  explicit Deadline(std::chrono::steady_clock::duration time, std::stop_token other = {});

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// Whether the time is over.
  [[nodiscard]] bool passed() const { return passed_; }

 private:
  std::stop_source source_;
  std::atomic<bool> passed_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread watch_;  ///< last: it uses everything above
};

}  // namespace haloscope::work
