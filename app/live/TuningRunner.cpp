#include "live/TuningRunner.h"

#include <exception>
#include <utility>

namespace haloscope {

TuningRunner::TuningRunner() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

TuningRunner::~TuningRunner() {
  cancel();
  thread_.request_stop();
}

void TuningRunner::request(measuring::TuningRequest request) {
  const std::scoped_lock lock(mutex_);
  running_.request_stop();
  pending_ = std::move(request);
  newest_.reset();
  busy_ = true;
  changed_.notify_all();
}

void TuningRunner::cancel() {
  const std::scoped_lock lock(mutex_);
  running_.request_stop();
  if (pending_) {
    pending_.reset();
    busy_ = false;
    changed_.notify_all();
  }
}

bool TuningRunner::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

std::optional<std::shared_ptr<const measuring::TuningMap>> TuningRunner::poll() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(newest_, std::nullopt);
}

void TuningRunner::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !busy_; });
}

void TuningRunner::publish(measuring::TuningMap map, const std::stop_token& cancelled) {
  auto shared = std::make_shared<const measuring::TuningMap>(std::move(map));
  const std::scoped_lock lock(mutex_);
  if (!cancelled.stop_requested()) { newest_ = std::move(shared); }
}

void TuningRunner::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return pending_.has_value(); }) && !stop.stop_requested()) {
    const measuring::TuningRequest request = *std::exchange(pending_, std::nullopt);
    running_ = std::stop_source();
    const std::stop_token cancelled = running_.get_token();
    lock.unlock();
    try {
      if (knownText_ != request.file.text) { known_.reset(); }
      measuring::TuningMap map = tuner_.tune(
          request, [&](const measuring::TuningMap& sofar) { publish(sofar, cancelled); }, cancelled, known_.get());
      if (map.filled) {
        known_ = std::make_shared<const measuring::TuningMap>(map);
        knownText_ = request.file.text;
      }
      publish(std::move(map), cancelled);
    } catch (const std::exception& failure) {  // a lost GPU, a text that cannot be launched
      known_.reset();
      measuring::TuningMap map;
      map.kernel = request.file.id;
      map.gpu = request.target.name;
      map.problem = failure.what();
      publish(std::move(map), cancelled);
    }
    lock.lock();
    busy_ = pending_.has_value();
    changed_.notify_all();
  }
}

}  // namespace haloscope
