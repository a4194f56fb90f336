#include "running/HostProcess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include "language/Language.h"
#include "language/Text.h"
#include "process/Confinement.h"
#include "process/NamedFiles.h"

namespace haloscope::running {

namespace {

using Clock = std::chrono::steady_clock;

/// A program sees nothing of the user's environment; the loader may need to know where this program's libraries are.
std::vector<std::string> environmentOfPrograms() {
  std::vector<std::string> all{"LC_ALL=C.UTF-8"};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    all.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  return all;
}

[[noreturn]] void throwSystemError(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

/// Copies of the user's files in memory, each opened as often as the program can open it: reading one does not move the
/// place of another.
class OpenedCopies {
 public:
  explicit OpenedCopies(const std::vector<NamedFile>& files) {
    for (const NamedFile& file : files) { add(file); }
  }
  ~OpenedCopies() {
    for (const int one : open_) { close(one); }
  }
  OpenedCopies(const OpenedCopies&) = delete;
  OpenedCopies& operator=(const OpenedCopies&) = delete;
  void giveTo(process::ChildStart& child) const {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      child.files.push_back({open_[i], process::kFirstNamedFile + static_cast<int>(i)});
    }
  }

 private:
  void add(const NamedFile& file) {
    const int memory = memfd_create("haloscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) { throwSystemError("memfd_create"); }
    bool good = true;
    for (std::size_t at = 0; good && at < file.bytes.size();) {
      const ssize_t wrote = write(memory, file.bytes.data() + at, file.bytes.size() - at);
      good = wrote > 0;
      at += static_cast<std::size_t>(std::max<ssize_t>(wrote, 0));
    }
    good = good && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
    const std::string path = "/proc/self/fd/" + std::to_string(memory);
    for (int i = 0; good && i < process::kDescriptorsOfAFile; ++i) {
      const int again = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      good = again >= 0;
      if (good) { open_.push_back(again); }
    }
    const int error = errno;
    close(memory);
    if (!good) { throw std::system_error(error, std::generic_category(), trf("a copy of {}", file.name)); }
  }

  std::vector<int> open_;
};

}  // namespace

HostProcess::HostProcess(const host::HostStart& program, std::span<const std::vector<std::byte>> objects,
                         const Start& start)
    : limit_(start.limits.compileTime + start.limits.runTime) {
  if (start.ends) {
    socket_ = start.ends->socket;
    outputFile_ = start.ends->output;
  } else {
    startChild(start);
  }
  reader_ = std::jthread([this] { readOutput(); });
  const std::vector<std::span<const std::byte>> payload(objects.begin(), objects.end());
  send(encode(program), payload);
}

void HostProcess::startChild(const Start& start) {
  std::array<int, 2> ends{};
  std::array<int, 2> pipeEnds{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwSystemError("socketpair"); }
  if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0) { throwSystemError("pipe"); }
  // Only this end: the program's own one waits while the pipe is full.
  if (fcntl(pipeEnds[0], F_SETFL, O_NONBLOCK) != 0) { throwSystemError("fcntl"); }
  socket_ = ends[0];
  outputFile_ = pipeEnds[0];
  std::vector<std::string> arguments = languageArguments();
  arguments.emplace_back(host::kHostCommand);
  std::ranges::move(start.limits.toArguments(), std::back_inserter(arguments));
  process::ChildStart child{
      .program = start.executable,
      .arguments = arguments,
      .files = {{ends[1], host::kHostSocket}, {pipeEnds[1], STDOUT_FILENO}, {pipeEnds[1], STDERR_FILENO}},
      .standardStreams = false,
      .environment = environmentOfPrograms()};
  const OpenedCopies copies(start.files);
  copies.giveTo(child);
  try {
    child_.emplace(child);
  } catch (const std::system_error&) {
    for (const int file : {ends[0], ends[1], pipeEnds[0], pipeEnds[1]}) { close(file); }
    throw;
  }
  close(ends[1]);
  close(pipeEnds[1]);
}

HostProcess::~HostProcess() {
  static_cast<void>(end());
  reader_.join();
  close(socket_);
  close(outputFile_);
}

std::variant<HostProcess::Received, HostProcess::Silence> HostProcess::receive(const std::stop_token& stop) {
  const Clock::time_point began = Clock::now();
  const auto passed = [&] { return Clock::now() - began; };
  stop_ = stop;
  // A process that does not read what it asked for gets nothing more.
  if (deaf_) {
    return stop.stop_requested() ? Silence::Stopped : hostTime_ > limit_ ? Silence::TooLong : Silence::Ended;
  }
  Silence why = Silence::Ended;
  const auto proceed = [&] {
    if (stop.stop_requested()) { why = Silence::Stopped; }
    if (hostTime_ + passed() > limit_) { why = Silence::TooLong; }
    return why == Silence::Ended;
  };
  std::optional<host::Packet> packet = host::Channel(socket_, proceed).receive();
  std::optional<Received> received;
  // The process decides how long a message takes to be read.
  if (packet) { received.emplace(host::decodeCall(packet->message), std::move(packet->payload)); }
  hostTime_ += passed();
  if (!received) { return why; }
  return std::move(*received);
}

void HostProcess::reply(const host::HostReply& reply, std::span<const std::span<const std::byte>> payload) {
  send(encode(reply), payload);
}

void HostProcess::send(std::span<const std::byte> message, std::span<const std::span<const std::byte>> payload) {
  const Clock::time_point began = Clock::now();
  const auto proceed = [&] { return !stop_.stop_requested() && hostTime_ + (Clock::now() - began) < limit_; };
  if (!host::Channel(socket_, proceed).send(message, payload)) { deaf_ = true; }
  hostTime_ += Clock::now() - began;
}

std::string HostProcess::end() {
  if (!child_) {
    shutdown(socket_, SHUT_RDWR);
    return tr("has ended");
  }
  // A program that has sent its last message ends by itself in a moment.
  constexpr std::chrono::milliseconds kMoment{100};
  constexpr std::chrono::seconds kLongestEnd{5};
  std::optional<process::ChildEnd> how = child_->waitForEnd(kMoment);
  if (!how) {
    child_->kill();
    how = child_->waitForEnd(kLongestEnd);
  }
  return how ? describe(*how) : tr("does not end");
}

bool HostProcess::usedUpItsTime() const {
  const std::optional<process::ChildEnd> how = child_ ? child_->ended() : std::nullopt;
  return how && how->signal == SIGXCPU;
}

void HostProcess::readOutput() {
  pollfd waited{.fd = outputFile_, .events = POLLIN, .revents = 0};
  do {
    while (poll(&waited, 1, -1) < 0 && errno == EINTR) {}
  } while (takeOutput());
}

bool HostProcess::takeOutput() {
  // More than a pipe holds; a program that prints all the time is not waited for.
  constexpr int kParts = 32;
  std::array<char, 65536> part{};
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < kParts; ++i) {
    // The descriptor does not block. NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection)
    const ssize_t got = read(outputFile_, part.data(), part.size());
    if (got < 0 && errno == EINTR) { continue; }
    if (got <= 0) { return got < 0 && errno == EAGAIN; }
    const auto bytes = static_cast<std::size_t>(got);
    const std::size_t room = kMaxOutputBytes - std::min(kMaxOutputBytes, output_.text.size());
    output_.text.append(part.data(), std::min(room, bytes));
    output_.leftOut += bytes - std::min(room, bytes);
  }
  return true;
}

HostProcess::Output HostProcess::output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

std::size_t HostProcess::printedBytes() {
  takeOutput();
  const std::lock_guard lock(mutex_);
  return output_.text.size();
}

void HostProcess::finishOutput() {
  static_cast<void>(end());
  if (reader_.joinable()) { reader_.join(); }
  reader_ = std::jthread([] {});
}

}  // namespace haloscope::running
