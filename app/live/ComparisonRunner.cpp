#include "live/ComparisonRunner.h"

#include <utility>

namespace haloscope {

ComparisonRunner::ComparisonRunner() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

ComparisonRunner::~ComparisonRunner() {
  cancel();
  thread_.request_stop();
}

void ComparisonRunner::request(ComparisonRequest request) {
  const std::scoped_lock lock(mutex_);
  pending_ = std::move(request);
  results_.clear();
  busy_ = true;
  running_.request_stop();
  changed_.notify_all();
}

void ComparisonRunner::cancel() {
  const std::scoped_lock lock(mutex_);
  pending_.reset();
  results_.clear();
  busy_ = false;
  running_.request_stop();
  changed_.notify_all();
}

bool ComparisonRunner::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

std::optional<ComparisonRunner::Result> ComparisonRunner::poll() {
  const std::scoped_lock lock(mutex_);
  if (results_.empty()) { return std::nullopt; }
  Result result = std::move(results_.front());
  results_.pop_front();
  return result;
}

void ComparisonRunner::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
}

void ComparisonRunner::work(const std::stop_token& stop) {
  while (true) {
    ComparisonRequest request;
    std::stop_token stale;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return pending_.has_value(); })) { return; }
      request = *std::exchange(pending_, std::nullopt);
      running_ = std::stop_source();
      stale = running_.get_token();
    }
    try {
      for (std::size_t i = 0; i < request.variants.size(); ++i) {
        ComparedBlock block = compareBlock(request.variants[i], request.cell, stale);
        const std::scoped_lock lock(mutex_);
        if (stale.stop_requested()) { throw experiment::Cancelled{}; }
        results_.push_back({i, std::move(block)});
      }
    } catch (const experiment::Cancelled&) {
      continue;  // a newer request waits, or nothing is wanted any more
    }
    const std::scoped_lock lock(mutex_);
    if (stale.stop_requested()) { continue; }
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace haloscope
