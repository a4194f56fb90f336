#include "process/ChildProcess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace haloscope::process {

namespace {

/// What posix_spawn() needs, ready to use.
class SpawnPlan {
 public:
  explicit SpawnPlan(const ChildStart& start)
      : program_((start.program.empty() ? thisProgram() : start.program).string()),
        arguments_(start.arguments),
        environment_(start.environment.value_or(std::vector<std::string>{})),
        ownEnvironment_(start.environment.has_value()) {
    arguments_.insert(arguments_.begin(), program_);
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    try {
      planFiles(start);
    } catch (...) {
      release();
      throw;
    }
    // The process does not inherit which signals this thread blocks or this program ignores.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    const int group = start.ownGroup ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() { release(); }

  [[nodiscard]] const std::string& program() const { return program_; }
  /// Starts the process. Returns an error number or 0.
  int spawn(pid_t& child) {
    std::vector<char*> arguments = pointers(arguments_);
    std::vector<char*> environment = pointers(environment_);
    return posix_spawn(&child, program_.c_str(), &actions_, &attributes_, arguments.data(),
                       ownEnvironment_ ? environment.data() : environ);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> found;
    for (std::string& text : texts) { found.push_back(text.data()); }
    found.push_back(nullptr);
    return found;
  }

  void planFiles(const ChildStart& start) {
    int last = STDERR_FILENO;
    for (const GivenFile& file : start.files) { last = std::max(last, file.there); }
    // Through copies beyond all new numbers, because the old number of one file may be the new number of another.
    for (const GivenFile& file : start.files) {
      const int copy = fcntl(file.here, F_DUPFD_CLOEXEC, last + 1);
      if (copy < 0) { throw std::system_error(errno, std::generic_category(), program_); }
      copies_.push_back(copy);
      posix_spawn_file_actions_adddup2(&actions_, copy, file.there);
    }
    for (int number = 0; number <= last; ++number) {
      if (std::ranges::find(start.files, number, &GivenFile::there) != start.files.end()) { continue; }
      if (number > STDERR_FILENO) {
        posix_spawn_file_actions_addclose(&actions_, number);
      } else if (!start.standardStreams) {
        posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_RDWR, 0);
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, last + 1);
  }

  void release() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
    for (const int copy : copies_) { close(copy); }
  }

  std::string program_;
  std::vector<std::string> arguments_, environment_;
  bool ownEnvironment_;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  std::vector<int> copies_;
};

}  // namespace

std::filesystem::path thisProgram() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::vector<std::string> bareEnvironment() {
  std::vector<std::string> all{"LC_ALL=C.UTF-8"};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    all.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  return all;
}

std::string describe(const ChildEnd& end) {
  if (end.signal) { return fmt::format("was ended by signal {} ({})", *end.signal, strsignal(*end.signal)); }
  if (end.status) { return fmt::format("ended with status {}", *end.status); }
  return "has disappeared";
}

/// Shared with the thread that waits for the process.
struct ChildProcess::Watched {
  std::mutex mutex;
  std::condition_variable changed;
  pid_t id = -1;
  bool ownGroup = false;
  std::optional<ChildEnd> end;

  /// Waits until the process ends, and reaps it.
  void watch() {
    siginfo_t facts{};
    int waited = 0;
    do {
      waited = waitid(P_PID, static_cast<id_t>(id), &facts, WEXITED | WNOWAIT);
    } while (waited != 0 && errno == EINTR);
    // Reaped under the lock, because kill() must not use an id that may already be another process's.
    const std::lock_guard lock(mutex);
    // What it has started goes with it, while its id is still that of the group.
    if (ownGroup) { ::kill(-id, SIGKILL); }
    int status = 0;
    const bool known = waited == 0 && waitpid(id, &status, 0) == id;
    end.emplace();
    if (known && WIFSIGNALED(status)) {
      end->signal = WTERMSIG(status);
    } else if (known) {
      end->status = WEXITSTATUS(status);
    }
    changed.notify_all();
  }
};

ChildProcess::ChildProcess(const ChildStart& start) : watched_(std::make_shared<Watched>()) {
  SpawnPlan plan(start);
  watched_->ownGroup = start.ownGroup;
  std::promise<int> started;
  std::future<int> error = started.get_future();
  // Detached, because the end of a process may take tenths of a second, and a frame may be waiting. Should this program
  // end first, init reaps the process.
  std::thread([watched = watched_, &plan, started = std::move(started)]() mutable {
    const int failed = plan.spawn(watched->id);
    // Signals to this program are for those of its threads that wait for them.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    started.set_value(failed);  // from here on, `plan` may be gone
    if (failed == 0) { watched->watch(); }
  }).detach();
  if (const int failed = error.get(); failed != 0) {
    throw std::system_error(failed, std::generic_category(), plan.program());
  }
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    kill();
    watched_ = std::move(other.watched_);
  }
  return *this;
}

ChildProcess::~ChildProcess() { kill(); }

pid_t ChildProcess::id() const { return watched_->id; }

std::optional<ChildEnd> ChildProcess::ended() const { return waitForEnd({}); }

std::optional<ChildEnd> ChildProcess::waitForEnd(std::chrono::milliseconds wait) const {
  std::unique_lock lock(watched_->mutex);
  watched_->changed.wait_for(lock, wait, [&] { return watched_->end.has_value(); });
  return watched_->end;
}

void ChildProcess::kill() {
  if (!watched_) { return; }
  const std::lock_guard lock(watched_->mutex);
  if (!watched_->end) { ::kill(watched_->ownGroup ? -watched_->id : watched_->id, SIGKILL); }
}

}  // namespace haloscope::process
