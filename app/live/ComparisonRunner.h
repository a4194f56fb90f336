#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "state/ComparedBlock.h"
#include "work/Worker.h"

namespace haloscope {

/// Variants to be compared, and the cell.
struct ComparisonRequest {
  std::vector<ComparedRequest> variants;
  CommonCell cell;
};

/// Makes compared blocks one after the other in the background. A newer request replaces a stale one.
class ComparisonRunner {
 public:
  struct Result {
    std::size_t variant = 0;  ///< index into the request's variants
    ComparedBlock block;
  };

  explicit ComparisonRunner(work::Pool& pool);

  void request(ComparisonRequest request) { worker_.request(std::move(request)); }
  /// Drops what was requested.
  void cancel() { worker_.cancel(); }
  /// Until all results of the newest request were taken.
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  /// What has been made of the newest request since the last call. Never blocks.
  std::optional<Result> poll() { return worker_.poll(); }
  /// Blocks until all of the newest request has been made.
  void wait() { worker_.finish(); }

 private:
  work::Worker<ComparisonRequest, Result> worker_;
};

}  // namespace haloscope
