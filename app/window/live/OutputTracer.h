#pragma once

#include <cstdint>
#include <memory>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "work/Worker.h"

namespace haloscope {

/// An output element of an experiment's block.
struct OutputElement {
  std::shared_ptr<const experiment::Experiment> experiment;
  std::int64_t element = 0;  ///< of the output array
  bool operator==(const OutputElement&) const = default;
};

struct FollowedOutput {
  OutputElement output;
  std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
};

/// Follows one element at a time, in the background.
class OutputTracer : public work::Worker<OutputElement, FollowedOutput> {
 public:
  explicit OutputTracer(work::Pool& pool);
};

}  // namespace haloscope
