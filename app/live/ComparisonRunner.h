#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "state/ComparedBlock.h"

namespace haloscope {

/// Variants to be compared, and the cell.
struct ComparisonRequest {
  std::vector<ComparedRequest> variants;
  CommonCell cell;
};

/// Makes compared blocks one after the other on a worker thread. A newer request replaces a stale one.
class ComparisonRunner {
 public:
  struct Result {
    std::size_t variant = 0;  ///< index into the request's variants
    ComparedBlock block;
  };

  ComparisonRunner();
  ~ComparisonRunner();
  ComparisonRunner(const ComparisonRunner&) = delete;
  ComparisonRunner& operator=(const ComparisonRunner&) = delete;

  void request(ComparisonRequest request);
  /// Drops what was requested.
  void cancel();
  [[nodiscard]] bool busy() const;
  /// What has been made of the newest request since the last call. Never blocks.
  std::optional<Result> poll();
  /// Blocks until all of the newest request has been made.
  void wait();

 private:
  void work(const std::stop_token& stop);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<ComparisonRequest> pending_;
  std::stop_source running_;
  bool busy_ = false;
  std::deque<Result> results_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
