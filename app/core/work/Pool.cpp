#include "work/Pool.h"

#include <algorithm>
#include <utility>

namespace haloscope::work {

/// A job and how far it has come. Everything but `stop` is guarded by the pool's mutex.
class Pool::Task {
 public:
  enum class State : std::uint8_t { Waiting, Running, Ended };

  Demand demand;
  Job job;
  std::stop_source stop;
  Handle after;  ///< a running task that this one replaced; null: none, or it has ended
  State state = State::Waiting;

  [[nodiscard]] bool blocked() const { return after != nullptr && after->state != State::Ended; }
  [[nodiscard]] bool over() const { return state == State::Ended && !blocked(); }
  [[nodiscard]] unsigned coresOf(unsigned all) const {
    return demand.cores == Cores::All ? all : demand.cores == Cores::One ? 1 : 0;
  }
  [[nodiscard]] bool inForeground() const {
    return demand.priority == Priority::Foreground && demand.cores != Cores::None;
  }
};

Pool::Pool(unsigned cores) : cores_(cores != 0 ? cores : std::max(1U, std::thread::hardware_concurrency())) {}

Pool::~Pool() {
  const std::scoped_lock lock(mutex_);
  closing_ = true;
  waiting_.clear();
  wake_.notify_all();
}  // threads_ is destroyed first, after the lock is released, and waits for the threads

Pool::Handle Pool::submit(const Demand& demand, Job job, const Handle& previous) {
  auto task = std::make_shared<Task>();
  task->demand = demand;
  task->job = std::move(job);
  if (previous != nullptr) { cancel(previous); }
  const std::scoped_lock lock(mutex_);
  if (previous != nullptr) { task->after = previous->state == Task::State::Running ? previous : previous->after; }
  waiting_.push_back(task);
  dispatch();
  return task;
}

void Pool::cancel(const Handle& task) {
  Job unused;  // destroyed without the lock
  task->stop.request_stop();
  const std::scoped_lock lock(mutex_);
  if (task->state != Task::State::Waiting) { return; }
  unused = std::move(task->job);
  std::erase(waiting_, task);
  task->state = Task::State::Ended;
  ended_.notify_all();
  dispatch();  // it may have been the one that did not fit
}

bool Pool::running(const Handle& task) const {
  const std::scoped_lock lock(mutex_);
  return !task->over();
}

void Pool::wait(const Handle& task) {
  Lock lock(mutex_);
  while (!task->over()) {
    const auto waiting = std::ranges::find(waiting_, task);
    if (waiting == waiting_.end() || task->blocked()) {
      ended_.wait(lock);
      continue;
    }
    begin(waiting);
    execute(lock, task);
  }
}

bool Pool::mayBegin(const Task& task) const {
  const unsigned cores = task.coresOf(cores_);
  if (cores == 0) { return true; }
  if (task.demand.priority == Priority::Foreground) { return foreground_ < cores_; }
  return coresUsed_ + cores <= cores_;
}

/// Of the tasks that may begin the most urgent. A background task that does not fit is not overtaken by a smaller one:
/// it might never begin.
std::deque<Pool::Handle>::iterator Pool::nextToBegin() {
  for (const Priority priority : {Priority::Foreground, Priority::Background}) {
    bool room = true;
    for (auto task = waiting_.begin(); task != waiting_.end(); ++task) {
      if ((*task)->demand.priority != priority || (*task)->blocked()) { continue; }
      const bool needsCore = (*task)->demand.cores != Cores::None;
      if (mayBegin(**task) && (room || !needsCore)) { return task; }
      room = false;
    }
  }
  return waiting_.end();
}

void Pool::begin(std::deque<Handle>::iterator waiting) {
  const Handle task = *waiting;
  waiting_.erase(waiting);
  task->after.reset();
  task->state = Task::State::Running;
  coresUsed_ += task->coresOf(cores_);
  if (task->inForeground()) { ++foreground_; }
}

void Pool::dispatch() {
  if (closing_) { return; }
  for (auto next = nextToBegin(); next != waiting_.end(); next = nextToBegin()) {
    begun_.push_back(*next);
    begin(next);
    if (idle_ < begun_.size()) {
      threads_.emplace_back([this] { work(); });
    } else {
      wake_.notify_one();
    }
  }
}

void Pool::execute(Lock& lock, const Handle& task) {
  Job job = std::move(task->job);
  lock.unlock();
  job(task->stop.get_token());
  job = nullptr;  // what it holds is gone before anyone learns that it has ended
  lock.lock();
  task->state = Task::State::Ended;
  coresUsed_ -= task->coresOf(cores_);
  if (task->inForeground()) { --foreground_; }
  ended_.notify_all();
  dispatch();
}

void Pool::work() {
  Lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [this] { return closing_ || !begun_.empty(); });
    --idle_;
    if (begun_.empty()) { return; }
    const Handle task = std::move(begun_.front());
    begun_.pop_front();
    execute(lock, task);
  }
}

}  // namespace haloscope::work
