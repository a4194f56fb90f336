#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace haloscope {

/// Work of a kind, one at a time, beside the frames: a newer request replaces an older one, whose work is told to stop.
/// Requests are compared with ==. What the work throws comes out of poll() and wait().
template <typename Request, typename Result>
class NewestTask {
 public:
  using Work = std::function<Result(const Request&, const std::stop_token&)>;

  explicit NewestTask(Work work) : work_(std::move(work)) {}
  ~NewestTask() { stop_.request_stop(); }  // the future waits for its thread
  NewestTask(const NewestTask&) = delete;
  NewestTask& operator=(const NewestTask&) = delete;

  /// Asks for this, unless it is being done or was done last. Never blocks.
  void request(const Request& request) {
    if (asked_ && *asked_ == request) { return; }
    asked_ = request;
    if (running_.valid()) {
      stop_.request_stop();
      stale_ = true;
    } else {
      start();
    }
  }

  /// What was asked for last, once; nothing while it is being done. Never blocks.
  std::optional<Result> poll() {
    if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) { return {}; }
    return take();
  }

  /// Waits for it; nothing if nothing is being done.
  std::optional<Result> wait() {
    while (running_.valid()) {
      running_.wait();
      if (auto result = take()) { return result; }
    }
    return {};
  }

  [[nodiscard]] bool busy() const { return running_.valid(); }

 private:
  void start() {
    stop_ = {};
    running_ = std::async(std::launch::async,
                          [work = work_, request = *asked_, stop = stop_.get_token()] { return work(request, stop); });
  }

  std::optional<Result> take() {
    std::future<Result> done = std::move(running_);
    if (!std::exchange(stale_, false)) { return done.get(); }
    start();  // what it came to, result or exception, is of no use any more
    return {};
  }

  Work work_;
  std::optional<Request> asked_;
  std::stop_source stop_;
  std::future<Result> running_;
  bool stale_ = false;  ///< what runs is no longer what is asked for
};

}  // namespace haloscope
