#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "process/ChildProcess.h"
#include "process/Descriptor.h"

/// Processes that are ready in a moment, and each like the first: a server starts once, prepares itself, and forks one
/// for each task. What a task does to its process, which may be anything, reaches no other task.
namespace haloscope::process {

/// The descriptor on which a server finds its socket.
inline constexpr int kForkServerSocket = 3;

/// A process that a server has forked. It is ended with this object.
class ForkedProcess {
 public:
  ForkedProcess(ForkedProcess&&) noexcept = default;
  ForkedProcess& operator=(ForkedProcess&& other) noexcept;
  ForkedProcess(const ForkedProcess&) = delete;
  ForkedProcess& operator=(const ForkedProcess&) = delete;
  ~ForkedProcess();

  /// A stream to the process, which ends when the process does.
  [[nodiscard]] int socket() const { return socket_.number(); }

 private:
  friend class ForkServer;
  struct Control;
  ForkedProcess(std::shared_ptr<Control> control, std::uint32_t task, Descriptor socket);
  void end();

  std::shared_ptr<Control> control_;  ///< null after a move
  std::uint32_t task_ = 0;
  Descriptor socket_;
};

/// The program's side. Safe from several threads.
class ForkServer {
 public:
  /// Starts the server: a program whose main() calls serveForks(). Throws std::system_error.
  explicit ForkServer(ChildStart start);

  /// Asks for a process, which begins when the server is ready: never waits. Throws std::system_error if the server has
  /// ended.
  [[nodiscard]] ForkedProcess fork();
  [[nodiscard]] bool ended() const { return child_->ended().has_value(); }

 private:
  std::shared_ptr<ForkedProcess::Control> control_;
  std::unique_ptr<ChildProcess> child_;
};

/// The server's side: forks a process for each task, which does `work` with its socket and ends; returns when the
/// program that started it has closed the socket, and ends all of them then. To be called while the process has one
/// thread. The server itself reads nothing but the numbers of tasks.
void serveForks(const std::function<void(int socket)>& work);

}  // namespace haloscope::process
