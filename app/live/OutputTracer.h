#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"

namespace haloscope {

/// Follows one output element of an experiment's block at a time, beside the frames. A newer wish replaces an older
/// one.
class OutputTracer {
 public:
  struct Result {
    std::shared_ptr<const experiment::Experiment> experiment;
    std::int64_t element = 0;                               ///< of the output array
    std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
  };

  OutputTracer() = default;
  ~OutputTracer();
  OutputTracer(const OutputTracer&) = delete;
  OutputTracer& operator=(const OutputTracer&) = delete;

  /// Follows the element, unless that is being done, or was done last.
  void request(const std::shared_ptr<const experiment::Experiment>& experiment, std::int64_t element);
  /// The newest wish's result, once; nothing while it is being made. Never blocks.
  std::optional<Result> poll();
  /// Waits for it.
  std::optional<Result> wait();

 private:
  std::shared_ptr<const experiment::Experiment> experiment_;
  std::int64_t element_ = -1;
  std::stop_source stop_;
  std::future<Result> running_;
  bool stale_ = false;  ///< what runs is no longer what is wished
};

}  // namespace haloscope
