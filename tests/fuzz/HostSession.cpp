#include "HostSession.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "host/HostMessages.h"
#include "host/ServeHost.h"
#include "process/ChildProcess.h"
#include "program/SourceLocation.h"
#include "running/AllocationNames.h"
#include "running/Conductor.h"

namespace haloscope::fuzz {

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
using Words = std::array<std::uint64_t, 2>;  ///< sizes of a packet's message and payload

constexpr std::size_t kMostPrinted = 32 << 10;  ///< a pipe holds it

// Small enough for a sanitizer's pace.
constexpr running::RunBudget kBudget{.hostTime = std::chrono::seconds(1),
                                     .deviceBytes = std::uint64_t{64} << 20,
                                     .hostBytes = std::uint64_t{64} << 20,
                                     .kernelTime = std::chrono::seconds(2),
                                     .warpInstructions = 200'000,
                                     .checkedInstructions = 50'000,
                                     .patience = std::chrono::seconds(1)};

/// Both ends of a stream socket and of a pipe; those that were not given away are closed.
class Connection {
 public:
  Connection() {
    std::array<int, 2> pair{};
    std::array<int, 2> pipeEnds{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0 ||
        pipe2(pipeEnds.data(), O_CLOEXEC) != 0 || fcntl(pipeEnds[0], F_SETFL, O_NONBLOCK) != 0) {
      throw std::system_error(errno, std::generic_category(), "a connection");
    }
    near_ = {.socket = pair[0], .output = pipeEnds[0]};
    socket_ = pair[1];
    output_ = pipeEnds[1];
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    for (const int file : {near_.socket, near_.output, socket_, output_}) {
      if (file >= 0) { close(file); }
    }
  }

  /// This side's, for running::HostProcess, which closes them.
  running::HostEnds give() { return std::exchange(near_, {}); }
  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] int output() const { return output_; }
  /// The process's ends.
  void hangUp() {
    close(std::exchange(socket_, -1));
    close(std::exchange(output_, -1));
  }

 private:
  running::HostEnds near_;
  int socket_ = -1, output_ = -1;
};

/// Sends all bytes whatever is answered, and reads the answers away until the other end is closed.
void play(Connection& connection, std::span<const std::byte> printed, std::span<const std::byte> sent) {
  printed = printed.first(std::min(printed.size(), kMostPrinted));
  static_cast<void>(write(connection.output(), printed.data(), printed.size()));
  Bytes answers(1 << 16);
  bool open = true;
  while (true) {
    if (open && sent.empty()) {
      shutdown(connection.socket(), SHUT_WR);
      open = false;
    }
    pollfd waited{.fd = connection.socket(), .events = static_cast<short>(POLLIN | (open ? POLLOUT : 0)), .revents = 0};
    if (poll(&waited, 1, -1) < 0) { continue; }
    if ((waited.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      const ssize_t got = recv(connection.socket(), answers.data(), answers.size(), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) { break; }
    }
    if ((waited.revents & POLLOUT) == 0) { continue; }
    const ssize_t wrote = send(connection.socket(), sent.data(), sent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote > 0) { sent = sent.subspan(static_cast<std::size_t>(wrote)); }
  }
  connection.hangUp();
}

/// Passes on what either side sends until one of them ends. Returns what came from `from`.
Bytes passOn(int from, int to) {
  Bytes all;
  Bytes part(1 << 16);
  while (true) {
    std::array<pollfd, 2> waited{pollfd{.fd = from, .events = POLLIN, .revents = 0},
                                 pollfd{.fd = to, .events = POLLIN, .revents = 0}};
    if (poll(waited.data(), waited.size(), -1) < 0) { continue; }
    for (const pollfd& one : waited) {
      if (one.revents == 0) { continue; }
      const ssize_t got = recv(one.fd, part.data(), part.size(), 0);
      if (got <= 0) { return all; }
      const std::span<const std::byte> bytes(part.data(), static_cast<std::size_t>(got));
      if (one.fd == from) { all.insert(all.end(), bytes.begin(), bytes.end()); }
      for (std::span<const std::byte> left = bytes; !left.empty();) {
        const ssize_t wrote = send(one.fd == from ? to : from, left.data(), left.size(), MSG_NOSIGNAL);
        if (wrote <= 0) { return all; }
        left = left.subspan(static_cast<std::size_t>(wrote));
      }
    }
  }
}

running::RunOptions replayOptions() {
  running::RunOptions options;
  options.budget = kBudget;
  options.workers = 1;
  options.comparesOwnFunctions = true;
  options.device.bytesPerSecond = 1e12;
  options.device.properties = {{"multiProcessorCount", 4},
                               {"totalGlobalMem", std::int64_t{1} << 34},
                               {"sharedMemPerBlockOptin", 99 << 10},
                               {"sharedMemPerMultiprocessor", 100 << 10}};
  return options;
}

void keepOrThrow(bool kept, const char* promise) {
  if (!kept) { throw std::logic_error(promise); }
}

void checkPromises(const running::ProgramRun& run, const host::HostProgram& program) {
  constexpr std::size_t kMostText = 64 << 20;
  const bool exited = run.end == running::ProgramEnd::Exited;
  keepOrThrow(exited == run.message.empty(), "how the program ended is said, unless it exited");
  std::size_t text = run.message.size() + run.output.size();
  for (const running::ProgramEvent& event : run.events) {
    for (const auto& place : {event.destination, event.source}) {
      keepOrThrow(!place || place->allocation < run.allocations.size(), "an event's array is none");
    }
    keepOrThrow(event.kind != running::ProgramEvent::Kind::Launch || event.launch < run.launches.size(),
                "an event's launch is none");
    text += event.at.file.size();
  }
  for (const running::HostFinding& finding : run.findings) {
    keepOrThrow(!finding.message.empty(), "a finding of the host without a message");
    text += finding.message.size();
  }
  for (const running::ProgramLaunch& launch : run.launches) {
    keepOrThrow(launch.executed || !launch.problem.empty(), "a launch that is not executed says why");
    for (const faults::Finding& finding : launch.findings) {
      keepOrThrow(!finding.message.empty(), "a finding of a kernel without a message");
      text += finding.message.size();
    }
    static_cast<void>(running::predictedSeconds(launch, replayOptions().device));
    text += launch.symbol.size() + launch.kernel.size() + launch.problem.size() + launch.at.file.size();
  }
  keepOrThrow(running::allocationNames(run, program).size() == run.allocations.size(), "each array has a name");
  static_cast<void>(run.facts());
  keepOrThrow(text < kMostText, "a session makes more text than anyone reads");
}

}  // namespace

HostSession sessionOf(std::span<const std::byte> bytes) {
  HostSession session;
  for (bool first = true;; first = false) {
    Words words{};
    if (bytes.size() < sizeof words) { break; }
    std::memcpy(words.data(), bytes.data(), sizeof words);
    const std::size_t room = bytes.size() - sizeof words;
    if (words[0] > room || words[1] > room - words[0]) { break; }
    const auto message = bytes.subspan(sizeof words, words[0]);
    const auto payload = bytes.subspan(sizeof words + words[0], words[1]);
    Packet packet{.message = {message.begin(), message.end()}, .payload = {payload.begin(), payload.end()}};
    bytes = bytes.subspan(sizeof words + words[0] + words[1]);
    if (first) {
      session.task = std::move(packet);
    } else {
      session.packets.push_back(std::move(packet));
    }
  }
  session.rest.assign(bytes.begin(), bytes.end());
  return session;
}

Bytes bytesOf(const HostSession& session) {
  Bytes bytes;
  const auto append = [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
  const auto appendPacket = [&](const Packet& packet) {
    const Words words{packet.message.size(), packet.payload.size()};
    append(std::as_bytes(std::span(words)));
    append(packet.message);
    append(packet.payload);
  };
  appendPacket(session.task);
  for (const Packet& packet : session.packets) { appendPacket(packet); }
  append(session.rest);
  return bytes;
}

HostSession recordedSession(const host::HostProgram& program, const fs::path& haloscope, running::ProgramRun* run) {
  Connection near;
  Connection far;
  running::RunOptions options = replayOptions();
  options.budget = {.hostTime = std::chrono::seconds(3), .kernelTime = std::chrono::seconds(5)};
  options.hostEnds = near.give();
  const host::HostLimits limits{.memoryBytes = std::size_t{1} << 30,
                                .compileTime = std::chrono::seconds(60),
                                .runTime = std::chrono::seconds(10),
                                .compilerHeaders = haloscope.parent_path() / "assets" / "clang" / "include"};
  std::vector<std::string> arguments{host::kHostCommand};
  for (std::string& one : limits.toArguments()) { arguments.push_back(std::move(one)); }
  process::ChildProcess child(
      {.program = haloscope,
       .arguments = std::move(arguments),
       .files = {{far.socket(), host::kHostSocket}, {near.output(), STDOUT_FILENO}, {near.output(), STDERR_FILENO}},
       .standardStreams = false,
       .environment = std::vector<std::string>{"LC_ALL=C.UTF-8"}});
  far.hangUp();
  HostSession session;
  Bytes sent;
  const running::HostEnds ends = far.give();
  std::jthread proxy([&] {
    Channel channel(near.socket());
    if (std::optional<Packet> task = channel.receive()) {
      Channel(ends.socket).send(task->message);
      session.task.message = std::move(task->message);
      sent = passOn(ends.socket, near.socket());
    }
    child.kill();  // nothing more is needed from it; this side waits for the end of its output
    near.hangUp();
  });
  running::ProgramRun result = running::runAsItIs(program, options, false);
  proxy.join();
  close(ends.socket);
  close(ends.output);
  const auto* printed = reinterpret_cast<const std::byte*>(result.output.data());
  session.task.payload.assign(printed, printed + std::min(result.output.size(), kMostPrinted));
  HostSession packets = sessionOf(bytesOf({.task = session.task, .packets = {}, .rest = std::move(sent)}));
  for (Packet& packet : packets.packets) {
    host::HostCall call = host::decodeCall(packet.message);
    // Compiled objects are only kept for another run; small ones do.
    if (std::holds_alternative<host::Compiled>(call.message)) {
      call.message = host::Compiled{.objectBytes = {8}};
      packet = {.message = encode(call), .payload = Bytes(8)};
    }
  }
  if (run != nullptr) { *run = std::move(result); }
  return packets;
}

running::ProgramRun replay(std::span<const std::byte> bytes) {
  const HostSession session = sessionOf(bytes);
  host::HostStart start;
  try {
    start = host::decodeStart(session.task.message);
  } catch (const InputError&) {}
  if (start.program.files.empty()) { return {}; }
  const std::size_t task = sizeof(Words) + session.task.message.size() + session.task.payload.size();
  running::RunOptions options = replayOptions();
  Connection connection;
  options.hostEnds = connection.give();
  running::ProgramRun run;
  {
    const std::jthread peer([&] { play(connection, session.task.payload, bytes.subspan(task)); });
    run = running::runAsItIs(start.program, options, false);
  }
  checkPromises(run, start.program);
  return run;
}

}  // namespace haloscope::fuzz
