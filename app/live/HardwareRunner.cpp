#include "live/HardwareRunner.h"

#include <iterator>
#include <utility>

#include "experiment/Experiment.h"

namespace haloscope {

namespace {

measuring::HardwareReading measureOnFirstGpu(const measuring::HardwareRequest& request, const std::stop_token& stop) {
  return measuring::measureHardware(gpu::Device::open(), request, stop);
}

}  // namespace

HardwareRunner::HardwareRunner(Measure measure)
    : measure_(measure ? std::move(measure) : measureOnFirstGpu),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

HardwareRunner::~HardwareRunner() {
  const std::scoped_lock lock(mutex_);
  pending_.clear();  // else the worker would begin one before it sees that it should end
  thread_.request_stop();
  running_.request_stop();
}

void HardwareRunner::request(std::vector<measuring::HardwareRequest> requests) {
  const std::scoped_lock lock(mutex_);
  pending_.assign(std::make_move_iterator(requests.begin()), std::make_move_iterator(requests.end()));
  results_.clear();
  running_.request_stop();
  changed_.notify_all();
}

std::string HardwareRunner::measuring() const {
  const std::scoped_lock lock(mutex_);
  return measuring_.empty() && !pending_.empty() ? pending_.front().file.id : measuring_;
}

std::optional<HardwareRunner::Result> HardwareRunner::poll() {
  const std::scoped_lock lock(mutex_);
  if (results_.empty()) { return std::nullopt; }
  Result result = std::move(results_.front());
  results_.pop_front();
  return result;
}

void HardwareRunner::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return pending_.empty() && measuring_.empty(); });
}

HardwareRunner::Result HardwareRunner::make(const measuring::HardwareRequest& request,
                                            const std::stop_token& stop) const {
  Result result;
  result.id = request.file.id;
  try {
    result.reading = std::make_shared<const measuring::HardwareReading>(measure_(request, stop));
  } catch (const gpu::Unavailable& missing) {
    result.error = missing.what();
    result.unavailable = true;
  } catch (const SourceError& error) { result.error = error.message(); } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

void HardwareRunner::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !pending_.empty(); })) {
    const measuring::HardwareRequest request = std::move(pending_.front());
    pending_.pop_front();
    measuring_ = request.file.id;
    running_ = std::stop_source();
    const std::stop_token cancelled = running_.get_token();
    lock.unlock();
    std::optional<Result> result;
    try {
      result = make(request, cancelled);
    } catch (const experiment::Cancelled&) {
      result.reset();  // newer requests wait, or the runner is going away
    }
    lock.lock();
    measuring_.clear();
    if (result && !cancelled.stop_requested()) {
      if (result->unavailable) { pending_.clear(); }
      results_.push_back(std::move(*result));
    }
    changed_.notify_all();
  }
}

}  // namespace haloscope
