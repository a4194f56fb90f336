#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace haloscope::process {

/// The program that is running now.
[[nodiscard]] std::filesystem::path thisProgram();

/// A file descriptor for a child process.
struct GivenFile {
  int here = -1;   ///< its number in this process, which keeps it
  int there = -1;  ///< its number in the child process
};

/// How a child process is started.
struct ChildStart {
  std::filesystem::path program{};       ///< empty: the running one
  std::vector<std::string> arguments{};  ///< after the program's name
  std::vector<GivenFile> files{};        ///< the child process has no other descriptor from 3 on
  /// Descriptors 0, 1 and 2, unless they are in `files`: true: this process's own; false: /dev/null.
  bool standardStreams = true;
  /// The process leads a group of its own: what it starts is ended with it, too.
  bool ownGroup = false;
  std::optional<std::vector<std::string>> environment{};  ///< "NAME=value"; none: this process's own
};

/// What a child process needs of the environment: this program's libraries may be where only the loader knows.
[[nodiscard]] std::vector<std::string> bareEnvironment();

/// How a process ended. Neither: something else in this program has waited for it.
struct ChildEnd {
  std::optional<int> status{};  ///< as it passed it to exit()
  std::optional<int> signal{};
};

/// "ended with status 1", "was ended by signal 9 (Killed)", "has disappeared"
[[nodiscard]] std::string describe(const ChildEnd& end);

/// A program in a process of its own, for as long as this object lives. A thread starts it and waits for its end, so
/// that neither starting nor ending depends on which of the program's threads calls: the child process may ask to be
/// ended with its parent (PR_SET_PDEATHSIG), which Linux takes to mean the thread that started it.
class ChildProcess {
 public:
  /// Throws std::system_error if the program cannot be started.
  explicit ChildProcess(const ChildStart& start);
  ChildProcess(ChildProcess&&) noexcept = default;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the process, and does not wait until it has ended.
  ~ChildProcess();

  [[nodiscard]] pid_t id() const;
  /// How the process has ended; none while it is alive. Never waits.
  [[nodiscard]] std::optional<ChildEnd> ended() const;
  /// The same, after waiting for its end for at most `wait`.
  [[nodiscard]] std::optional<ChildEnd> waitForEnd(std::chrono::milliseconds wait) const;
  /// Ends the process, or its group, with SIGKILL if it is alive. Its end may take a while, for which this does not
  /// wait.
  void kill();

 private:
  struct Watched;
  std::shared_ptr<Watched> watched_;  ///< null after a move
};

}  // namespace haloscope::process
