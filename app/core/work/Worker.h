#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "work/Pool.h"

namespace haloscope::work {

/// What a job delivers, and how it learns that it should stop. Used on the job's thread.
template <typename Result>
class Delivery {
 public:
  /// Asks to stop: a newer request replaced this one, or the result is not wanted any more.
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  void publish(Result result) {
    const std::scoped_lock lock(box_->mutex);
    box_->results.push_back(std::move(result));
  }
  /// Says what the job is working on now.
  void report(std::string doing) {
    const std::scoped_lock lock(box_->mutex);
    box_->doing = std::move(doing);
  }

 private:
  template <typename, typename>
  friend class Worker;

  struct Box {
    std::mutex mutex;
    std::deque<Result> results;
    std::string doing;
    std::exception_ptr error;
    bool ended = false;

    void end(std::exception_ptr thrown) {
      const std::scoped_lock lock(mutex);
      error = std::move(thrown);
      ended = true;
    }
  };

  Delivery(std::shared_ptr<Box> box, std::stop_token stop) : box_(std::move(box)), stop_(std::move(stop)) {}

  std::shared_ptr<Box> box_;
  std::stop_token stop_;
};

/// Work of one kind on a Pool, one request at a time. A newer request replaces an older one, which is asked to stop and
/// whose results are dropped; it begins when the older one has ended. What the work throws comes out of poll().
///
/// A worker belongs to one thread, and ends before its pool does and before what its work refers to.
template <typename Request, typename Result>
class Worker {
 public:
  /// Work with one result, or with any number, published one by one.
  using Work = std::function<Result(const Request&, const std::stop_token&)>;
  using Stream = std::function<void(const Request&, Delivery<Result>&)>;

  Worker(Pool& pool, Demand demand, Stream work)
      : pool_(pool), demand_(demand), work_(std::make_shared<const Stream>(std::move(work))) {}
  Worker(Pool& pool, Demand demand, Work work)
      : Worker(pool, demand, Stream([work = std::move(work)](const Request& request, Delivery<Result>& delivery) {
                 delivery.publish(work(request, delivery.stop()));
               })) {}
  /// Waits for the work to stop.
  ~Worker() {
    cancel();
    if (task_ != nullptr) { pool_.wait(task_); }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Asks for this. Never blocks.
  void request(Request request) {
    asked_.reset();
    begin(std::make_shared<const Request>(std::move(request)));
  }
  /// Asks for this, unless it was asked for last. Never blocks.
  void follow(Request request) {
    if (asked_ != nullptr && *asked_ == request) { return; }
    asked_ = std::make_shared<const Request>(std::move(request));
    begin(asked_);
  }
  /// Drops what was asked for. Never blocks: what runs is asked to stop, see running().
  void cancel() {
    box_.reset();
    asked_.reset();
    if (task_ != nullptr) { pool_.cancel(task_); }
  }

  /// The next result of the newest request, once; nothing while it is being made. Throws what the work threw, after the
  /// results before it. Never blocks.
  std::optional<Result> poll() {
    if (box_ == nullptr) { return {}; }
    const std::shared_ptr<Box> box = box_;
    const std::scoped_lock lock(box->mutex);
    std::optional<Result> result;
    if (!box->results.empty()) {
      result.emplace(std::move(box->results.front()));
      box->results.pop_front();
    }
    if (!box->results.empty() || !box->ended || (result && box->error)) { return result; }
    box_.reset();
    if (box->error) { std::rethrow_exception(box->error); }
    return result;
  }
  /// Waits until everything that was asked for is done; poll() then has it.
  void finish() {
    if (box_ != nullptr) { pool_.wait(task_); }
  }
  /// Waits, then the next result.
  std::optional<Result> wait() {
    finish();
    return poll();
  }

  /// Something was asked for, and not all of its results were taken.
  [[nodiscard]] bool busy() const { return box_ != nullptr; }
  /// The work has not ended yet, be it for a request that was cancelled since.
  [[nodiscard]] bool running() const { return task_ != nullptr && pool_.running(task_); }
  /// What the newest request's job reported last; empty before that.
  [[nodiscard]] std::string doing() const {
    if (box_ == nullptr) { return {}; }
    const std::scoped_lock lock(box_->mutex);
    return box_->doing;
  }

 private:
  using Box = typename Delivery<Result>::Box;

  void begin(std::shared_ptr<const Request> request) {
    box_ = std::make_shared<Box>();
    task_ = pool_.submit(
        demand_,
        [work = work_, request = std::move(request), box = box_](const std::stop_token& stop) {
          Delivery<Result> delivery(box, stop);
          std::exception_ptr thrown;
          try {
            (*work)(*request, delivery);
          } catch (...) { thrown = std::current_exception(); }
          box->end(std::move(thrown));
        },
        task_);
  }

  Pool& pool_;
  Demand demand_;
  std::shared_ptr<const Stream> work_;
  std::shared_ptr<const Request> asked_;  ///< by follow(), last; null: nothing, or something else was asked for since
  std::shared_ptr<Box> box_;              ///< of the newest request; null: there is nothing to take
  Pool::Handle task_;                     ///< the last one submitted
};

}  // namespace haloscope::work
