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
#include "program/HaloscopeProgram.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throwSystemError(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

/// Copies of the user's files in memory, each opened as often as the program can open it: reading one does not move the
/// place of another.
class OpenedCopies {
 public:
  explicit OpenedCopies(const std::vector<NamedFile>& files) {
    for (const NamedFile& file : files) { add(file); }
  }
  void giveTo(process::ChildStart& child) const {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      child.files.push_back({open_[i].number(), process::kFirstNamedFile + static_cast<int>(i)});
    }
  }

 private:
  void add(const NamedFile& file) {
    const process::Descriptor memory(memfd_create("haloscope", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!memory.isOpen()) { throwSystemError("memfd_create"); }
    bool good = true;
    for (std::size_t at = 0; good && at < file.bytes.size();) {
      const ssize_t wrote = write(memory.number(), file.bytes.data() + at, file.bytes.size() - at);
      good = wrote > 0;
      at += static_cast<std::size_t>(std::max<ssize_t>(wrote, 0));
    }
    good = good && fcntl(memory.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0;
    const std::string path = "/proc/self/fd/" + std::to_string(memory.number());
    for (int i = 0; good && i < process::kDescriptorsOfAFile; ++i) {
      open_.emplace_back(open(path.c_str(), O_RDONLY | O_CLOEXEC));
      good = open_.back().isOpen();
    }
    const int error = errno;
    if (!good) { throw std::system_error(error, std::generic_category(), trf("a copy of {}", file.name)); }
  }

  std::vector<process::Descriptor> open_;
};

}  // namespace

HostProcess::HostProcess(const host::HostStart& program, std::span<const std::vector<std::byte>> objects,
                         const Start& start)
    : limit_(start.limits.compileTime) {
  if (start.ends) {
    socket_ = process::Descriptor(start.ends->socket);
    outputFile_ = process::Descriptor(start.ends->output);
  } else {
    startChild(start);
  }
  reader_ = std::jthread([this] { readOutput(); });
  const std::vector<std::span<const std::byte>> payload(objects.begin(), objects.end());
  exchange([&](Channel& channel) { return channel.send(encode(program), payload); });
}

void HostProcess::startChild(const Start& start) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwSystemError("socketpair"); }
  socket_ = process::Descriptor(ends[0]);
  const process::Descriptor theirSocket(ends[1]);
  process::Pipe output;
  // Only this end: the program's own one waits while the pipe is full.
  if (fcntl(output.reading.number(), F_SETFL, O_NONBLOCK) != 0) { throwSystemError("fcntl"); }
  std::vector<std::string> arguments = languageArguments();
  arguments.emplace_back(host::kHostCommand);
  std::ranges::move(start.limits.toArguments(), std::back_inserter(arguments));
  process::ChildStart child{
      .program = start.executable.empty() ? usedHaloscope().value_or(std::filesystem::path()) : start.executable,
      .arguments = arguments,
      .files = {{theirSocket.number(), host::kHostSocket},
                {output.writing.number(), STDOUT_FILENO},
                {output.writing.number(), STDERR_FILENO}},
      .standardStreams = false,
      .environment = process::bareEnvironment()};
  const OpenedCopies copies(start.files);
  copies.giveTo(child);
  const process::Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (nothing.isOpen()) { child.files.push_back({nothing.number(), process::kNothing}); }
  child_.emplace(child);
  outputFile_ = std::move(output.reading);
}

HostProcess::~HostProcess() {
  static_cast<void>(end());
  reader_.join();
}

template <typename Do>
bool HostProcess::exchange(Do act) {
  if (deaf_) { return false; }
  const Clock::time_point began = Clock::now();
  const auto proceed = [&] { return !stop_.stop_requested() && hostTime_ + (Clock::now() - began) < limit_; };
  Channel channel(socket_.number(), proceed);
  deaf_ = !act(channel);
  hostTime_ += Clock::now() - began;
  return !deaf_;
}

std::variant<HostProcess::Received, HostProcess::Silence> HostProcess::receive(const std::stop_token& stop) {
  stop_ = stop;
  if (payloadBytes_ > 0 && !deaf_) { throw InputError(tr("the host process sent bytes that belong to no message")); }
  std::optional<Received> received;
  exchange([&](Channel& channel) {
    const std::optional<Announced> announced = channel.receiveMessage();
    // The process decides how long a message takes to be read.
    if (announced) { received.emplace(host::decodeCall(announced->message), announced->payloadBytes); }
    return received.has_value();
  });
  // A process that does not read what it asked for gets nothing more.
  if (!received) { return stop.stop_requested() ? Silence::Stopped : isTooLong() ? Silence::TooLong : Silence::Ended; }
  payloadBytes_ = received->payloadBytes;
  return std::move(*received);
}

void HostProcess::reserve(std::uint64_t bytes) {
  if (bytes > payloadBytes_) { throw InputError(tr("the host process sent fewer bytes than it said")); }
  payloadBytes_ -= bytes;
}

bool HostProcess::takePayload(std::span<std::byte> part) {
  reserve(part.size());
  return exchange([&](Channel& channel) { return channel.receive(part); });
}

bool HostProcess::takePayload(std::vector<std::byte>& bytes, std::uint64_t count) {
  reserve(count);
  return exchange([&](Channel& channel) { return channel.receive(bytes, count); });
}

bool HostProcess::skipPayload() {
  std::vector<std::byte> part(std::size_t{1} << 16);
  while (payloadBytes_ > 0) {
    if (!takePayload(std::span(part).first(std::min<std::uint64_t>(part.size(), payloadBytes_)))) { return false; }
  }
  return true;
}

void HostProcess::reply(const host::HostReply& reply, std::span<const std::span<const std::byte>> payload) {
  exchange([&](Channel& channel) { return channel.send(encode(reply), payload); });
}

void HostProcess::reply(const host::HostReply& reply, std::uint64_t payloadBytes, const Channel::NextPart& next) {
  exchange([&](Channel& channel) { return channel.send(encode(reply), payloadBytes, next); });
}

std::string HostProcess::end() {
  if (!child_) {
    shutdown(socket_.number(), SHUT_RDWR);
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
  pollfd waited{.fd = outputFile_.number(), .events = POLLIN, .revents = 0};
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
    const ssize_t got = read(outputFile_.number(), part.data(), part.size());
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
