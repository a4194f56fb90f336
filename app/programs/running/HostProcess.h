#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "host/HostLimits.h"
#include "host/HostMessages.h"
#include "process/ChildProcess.h"
#include "process/Descriptor.h"
#include "program/Channel.h"
#include "running/HostEnds.h"
#include "running/NamedFile.h"

namespace haloscope::running {

/// The child process that compiles and executes a program's host half. Everything that it sends may be forged.
class HostProcess {
 public:
  /// What of the program's output is kept; the rest is counted.
  static constexpr std::size_t kMaxOutputBytes = std::size_t{1} << 20;

  struct Start {
    std::filesystem::path executable{};  ///< Haloscope's program; empty: see HaloscopeProgram.h
    host::HostLimits limits{};
    std::vector<NamedFile> files{};  ///< that the program can open, at most process::kMaxNamedFiles
    /// Of a process that runs already, to which the above is known; they are closed here. None: one is started.
    std::optional<HostEnds> ends{};
  };
  /// Starts the process, unless it runs, and gives it the program. Throws std::system_error.
  HostProcess(const host::HostStart& program, std::span<const std::vector<std::byte>> objects, const Start& start);
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;
  ~HostProcess();

  struct Received {
    host::HostCall call;
    std::uint64_t payloadBytes = 0;  ///< what comes with it, to be taken or skipped
  };
  /// Why no message came.
  enum class Silence : std::uint8_t { Ended, TooLong, Stopped };
  /// Waits for the next message. Throws InputError if what comes is none, or follows bytes that nothing has taken.
  [[nodiscard]] std::variant<Received, Silence> receive(const std::stop_token& stop);
  /// The next part of the last message's payload: into memory that is there, as the contents of `bytes`, which grow as
  /// they arrive, or nowhere. False if it does not come: the next receive() says why. Throws InputError if the payload
  /// has fewer bytes.
  [[nodiscard]] bool takePayload(std::span<std::byte> part);
  [[nodiscard]] bool takePayload(std::vector<std::byte>& bytes, std::uint64_t count);
  [[nodiscard]] bool skipPayload();
  void reply(const host::HostReply& reply, std::span<const std::span<const std::byte>> payload = {});
  void reply(const host::HostReply& reply, std::uint64_t payloadBytes, const Channel::NextPart& next);
  /// From now on the program itself runs, which may take `limit`; until then, the limit is that of compiling.
  void limitRun(std::chrono::milliseconds limit) { limit_ = hostTime_ + limit; }
  /// Counts what answering the process has taken here as its time.
  void addTime(std::chrono::steady_clock::duration time) { hostTime_ += time; }
  [[nodiscard]] bool isTooLong() const { return hostTime_ >= limit_; }
  /// Time that the host's half has taken so far, without waiting for kernels.
  [[nodiscard]] std::chrono::steady_clock::duration hostTime() const { return hostTime_; }
  /// How the process ended, for the user: "was ended by signal 9 (Killed)". Ends it if it still runs.
  [[nodiscard]] std::string end();
  /// Whether it has ended because it used the processors' time that it was given.
  [[nodiscard]] bool usedUpItsTime() const;

  struct Output {
    std::string text;
    std::uint64_t leftOut = 0;  ///< bytes after kMaxOutputBytes
  };
  /// What the program has printed so far.
  [[nodiscard]] Output output() const;
  /// Bytes of it that are kept. While the program waits for a reply, all that it printed before its call is there.
  [[nodiscard]] std::size_t printedBytes();
  /// Waits until everything that an ended program printed has arrived.
  void finishOutput();

 private:
  void startChild(const Start& start);
  /// Does something with the socket, whose time is the host's.
  template <typename Do>
  bool exchange(Do act);
  void reserve(std::uint64_t bytes);
  void readOutput();
  /// Takes what is in the pipe now. False at its end.
  bool takeOutput();

  std::optional<process::ChildProcess> child_;  ///< none: it ran already
  process::Descriptor socket_, outputFile_;
  std::chrono::steady_clock::duration limit_;
  std::chrono::steady_clock::duration hostTime_{0};
  std::stop_token stop_;            ///< of the last receive()
  bool deaf_ = false;               ///< the process did not take a reply, or did not send what it announced
  std::uint64_t payloadBytes_ = 0;  ///< of the last message, still to be taken
  mutable std::mutex mutex_;
  Output output_;
  std::jthread reader_;
};

}  // namespace haloscope::running
