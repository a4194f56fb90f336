#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace haloscope::work {

/// What begins first where there is not room for everything.
enum class Priority : std::uint8_t {
  Foreground,  ///< the user waits for it: the experiment, a trace, the next sweep of the field
  Background,  ///< everything else: figures, checks, the roofline
};

/// How much of the processor a job uses.
enum class Cores : std::uint8_t {
  None,  ///< it mostly waits, for a GPU or another process
  One,
  All,  ///< the emulator on a whole grid: it starts threads of its own
};

struct Demand {
  Priority priority = Priority::Background;
  Cores cores = Cores::One;
};

/// Threads for everything that takes longer than a frame. They are started when needed and kept.
///
/// Background jobs only begin on cores that nothing else uses, in the order in which they were submitted; so at most
/// one job of Cores::All, or a job for each core. A foreground job begins at once, unless as many of them as there are
/// cores are running, and a job of Cores::None always does.
///
/// All members may be called from any thread.
class Pool {
 public:
  /// What is executed. It must not throw. The token asks it to stop.
  using Job = std::function<void(const std::stop_token&)>;
  class Task;
  using Handle = std::shared_ptr<Task>;

  /// `cores`: how many there are to share; 0: those of this machine.
  explicit Pool(unsigned cores = 0);
  /// Waits for the running jobs. Jobs that have not begun are dropped, so wait for a job before the pool ends.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Has the job executed. It replaces `previous`, if given: that one is asked to stop, and this one begins when it has
  /// ended.
  [[nodiscard]] Handle submit(const Demand& demand, Job job, const Handle& previous = {});
  /// Asks the task to stop; one that has not begun never will.
  void cancel(const Handle& task);
  /// True until the task has ended or was cancelled before it began, and the tasks that it replaced have ended, too.
  [[nodiscard]] bool running(const Handle& task) const;
  /// Waits until running() is false. Executes the task on the calling thread if it has not begun, so that a job may
  /// wait for another one.
  void wait(const Handle& task);

 private:
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] bool mayBegin(const Task& task) const;
  [[nodiscard]] std::deque<Handle>::iterator nextToBegin();
  void begin(std::deque<Handle>::iterator waiting);
  void dispatch();
  void execute(Lock& lock, const Handle& task);
  void work();

  const unsigned cores_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;   ///< of the threads: there is a task, or the end
  std::condition_variable ended_;  ///< of those who wait for a task
  std::deque<Handle> waiting_;     ///< in the order in which they were submitted
  std::deque<Handle> begun_;       ///< not yet picked up by a thread
  unsigned coresUsed_ = 0;         ///< by the tasks that run; more than there are where foreground met background
  unsigned foreground_ = 0;        ///< tasks that run and use a core
  std::size_t idle_ = 0;           ///< threads
  bool closing_ = false;
  std::vector<std::jthread> threads_;  ///< last: they use everything above
};

}  // namespace haloscope::work
