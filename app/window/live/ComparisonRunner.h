#pragma once

#include <cstddef>
#include <vector>

#include "state/ComparedBlock.h"
#include "work/Worker.h"

namespace haloscope {

/// Variants to be compared, and the cell.
struct ComparisonRequest {
  std::vector<ComparedRequest> variants;
  CommonCell cell;
};

struct ComparisonResult {
  std::size_t variant = 0;  ///< index into the request's variants
  ComparedBlock block;
};

/// Makes compared blocks one after the other in the background.
class ComparisonRunner : public work::Worker<ComparisonRequest, ComparisonResult> {
 public:
  explicit ComparisonRunner(work::Pool& pool);
};

}  // namespace haloscope
