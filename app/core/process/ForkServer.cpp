#include "process/ForkServer.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace haloscope::process {

namespace {

/// What the program says to the server. A task to begin comes with the server's end of its socket.
struct Command {
  enum class What : std::uint32_t { Begin, End };
  What what = What::Begin;
  std::uint32_t task = 0;
};

[[noreturn]] void throwForkServerError(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

struct alignas(cmsghdr) RoomForAFile {
  std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

bool sendCommand(int socket, Command command, int file = -1) {
  iovec part{.iov_base = &command, .iov_len = sizeof command};
  RoomForAFile room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = room.bytes.data();
    message.msg_controllen = room.bytes.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = 0;
  do { sent = sendmsg(socket, &message, MSG_NOSIGNAL); } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof command);
}

struct ReceivedCommand {
  Command command;
  Descriptor file;
};

/// None when the program has closed its end.
std::optional<ReceivedCommand> receiveCommand(int socket) {
  ReceivedCommand received;
  iovec part{.iov_base = &received.command, .iov_len = sizeof received.command};
  RoomForAFile room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  ssize_t got = 0;
  do { got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof received.command)) { return std::nullopt; }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
    received.file = Descriptor(file);
  }
  return received;
}

}  // namespace

// -- the program's side

struct ForkedProcess::Control {
  std::mutex mutex;
  Descriptor socket;
  std::uint32_t tasks = 0;
};

ForkedProcess::ForkedProcess(std::shared_ptr<Control> control, std::uint32_t task, Descriptor socket)
    : control_(std::move(control)), task_(task), socket_(std::move(socket)) {}

ForkedProcess& ForkedProcess::operator=(ForkedProcess&& other) noexcept {
  if (this != &other) {
    end();
    control_ = std::move(other.control_);
    task_ = other.task_;
    socket_ = std::move(other.socket_);
  }
  return *this;
}

ForkedProcess::~ForkedProcess() { end(); }

void ForkedProcess::end() {
  if (!control_) { return; }
  socket_.close();
  const std::lock_guard lock(control_->mutex);
  sendCommand(control_->socket.number(), {.what = Command::What::End, .task = task_});
  control_.reset();
}

ForkServer::ForkServer(ChildStart start) : control_(std::make_shared<ForkedProcess::Control>()) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwForkServerError("socketpair"); }
  control_->socket = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  start.files.push_back({theirs.number(), kForkServerSocket});
  child_ = std::make_unique<ChildProcess>(start);
}

ForkedProcess ForkServer::fork() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwForkServerError("socketpair"); }
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  const std::lock_guard lock(control_->mutex);
  const std::uint32_t task = ++control_->tasks;
  if (!sendCommand(control_->socket.number(), {.what = Command::What::Begin, .task = task}, theirs.number())) {
    throwForkServerError("the server that forks processes");
  }
  return {control_, task, std::move(ours)};
}

// -- the server's side

namespace {

/// The processes that have not been waited for: their numbers cannot be those of others.
class Forked {
 public:
  Forked() = default;
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() {
    for (const auto& [task, process] : processes_) { ::kill(process, SIGKILL); }
  }

  void add(std::uint32_t task, pid_t process) { processes_[task] = process; }
  void end(std::uint32_t task) {
    const auto found = processes_.find(task);
    if (found != processes_.end()) { ::kill(found->second, SIGKILL); }
  }
  void forgetEnded() {
    for (pid_t ended = waitpid(-1, nullptr, WNOHANG); ended > 0; ended = waitpid(-1, nullptr, WNOHANG)) {
      std::erase_if(processes_, [&](const auto& one) { return one.second == ended; });
    }
  }
  void forgetAll() { processes_.clear(); }

 private:
  std::map<std::uint32_t, pid_t> processes_;
};

}  // namespace

void serveForks(const std::function<void(int socket)>& work) {
  Forked forked;
  const pid_t server = getpid();
  while (std::optional<ReceivedCommand> received = receiveCommand(kForkServerSocket)) {
    // Before a number is used: it is then still that of the task.
    const Command command = received->command;
    if (command.what == Command::What::End) {
      forked.end(command.task);
      forked.forgetEnded();
      continue;
    }
    forked.forgetEnded();
    const pid_t process = ::fork();
    if (process == 0) {
      forked.forgetAll();
      close(kForkServerSocket);
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      if (getppid() == server) { work(received->file.number()); }
      _exit(0);
    }
    // Without a process its socket is closed, which the program notices.
    if (process > 0) { forked.add(command.task, process); }
  }
}

}  // namespace haloscope::process
