#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "work/Worker.h"

namespace haloscope {

/// Follows one output element of an experiment's block at a time, in the background.
class OutputTracer {
 public:
  struct Result {
    std::shared_ptr<const experiment::Experiment> experiment;
    std::int64_t element = 0;                               ///< of the output array
    std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
  };

  explicit OutputTracer(work::Pool& pool);

  /// Follows the element, unless that is being done, or was done last.
  void request(const std::shared_ptr<const experiment::Experiment>& experiment, std::int64_t element) {
    worker_.follow({experiment, element});
  }
  /// The result of the newest request, once; nothing while it is being made. Never blocks.
  std::optional<Result> poll() { return worker_.poll(); }
  /// Waits for it.
  std::optional<Result> wait() { return worker_.wait(); }

 private:
  struct Output {
    std::shared_ptr<const experiment::Experiment> experiment;
    std::int64_t element = 0;
    bool operator==(const Output&) const = default;
  };

  work::Worker<Output, Result> worker_;
};

}  // namespace haloscope
