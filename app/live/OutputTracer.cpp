#include "live/OutputTracer.h"

#include <chrono>
#include <exception>
#include <utility>

namespace haloscope {

namespace {

OutputTracer::Result follow(const std::shared_ptr<const experiment::Experiment>& experiment, std::int64_t element,
                            const std::stop_token& stop) {
  OutputTracer::Result result{experiment, element, nullptr};
  try {
    if (auto traced = experiment::traceOutput(*experiment, element, stop)) {
      result.trace = std::make_shared<const experiment::TracedOutput>(std::move(*traced));
    }
  } catch (const std::exception&) {
    result.trace = nullptr;  // a launch that cannot be run again: that is said where it was run first
  }
  return result;
}

}  // namespace

OutputTracer::~OutputTracer() { stop_.request_stop(); }

void OutputTracer::request(const std::shared_ptr<const experiment::Experiment>& experiment, std::int64_t element) {
  if (experiment == experiment_ && element == element_ && !stale_) { return; }
  experiment_ = experiment;
  element_ = element;
  if (running_.valid()) {  // it is asked to stop, and started anew when it has
    stop_.request_stop();
    stale_ = true;
    return;
  }
  stale_ = false;
  stop_ = std::stop_source();
  running_ = std::async(std::launch::async, [experiment, element, token = stop_.get_token()] {
    return follow(experiment, element, token);
  });
}

std::optional<OutputTracer::Result> OutputTracer::poll() {
  if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return std::nullopt;
  }
  Result result = running_.get();
  if (!stale_) { return result; }
  request(experiment_, element_);
  return std::nullopt;
}

std::optional<OutputTracer::Result> OutputTracer::wait() {
  while (running_.valid()) {
    running_.wait();
    if (auto result = poll()) { return result; }
  }
  return std::nullopt;
}

}  // namespace haloscope
