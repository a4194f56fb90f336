#include "measuring/Peers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <map>
#include <system_error>

#include "catalogue/Precision.h"
#include "language/Text.h"
#include "process/ChildProcess.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

/// The end of a pipe that a child process writes to, and the last part of what came.
class PeerOutput {
 public:
  PeerOutput() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) { throw std::system_error(errno, std::generic_category(), "pipe2"); }
    from_ = ends[0];
    to_ = ends[1];
  }
  PeerOutput(const PeerOutput&) = delete;
  PeerOutput& operator=(const PeerOutput&) = delete;
  ~PeerOutput() {
    close(from_);
    closeWriting();
  }

  [[nodiscard]] int from() const { return from_; }
  [[nodiscard]] int to() const { return to_; }
  /// Once the child process has it.
  void closeWriting() {
    if (to_ >= 0) { close(to_); }
    to_ = -1;
  }
  /// Takes what there is, waiting if there is nothing. False at the end.
  bool take() {
    constexpr std::size_t kMost = 1U << 14U;
    std::array<char, 4096> part{};
    const ssize_t got = read(from_, part.data(), part.size());
    if (got <= 0) { return got < 0 && errno == EINTR; }
    text_.append(part.data(), static_cast<std::size_t>(got));
    if (text_.size() > 2 * kMost) { text_.erase(0, text_.size() - kMost); }
    return true;
  }
  /// The last line that is not blank.
  [[nodiscard]] std::string lastLine() const {
    const std::size_t end = text_.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) { return {}; }
    const std::size_t begin = text_.find_last_of("\r\n", end);
    return text_.substr(begin == std::string::npos ? 0 : begin + 1,
                        end - (begin == std::string::npos ? 0 : begin + 1) + 1);
  }

 private:
  int from_ = -1, to_ = -1;
  std::string text_;
};

constexpr std::size_t kQuoted = 200;  // bytes of a line in a message

/// Reads both until they end. False if that takes longer than until `deadline`.
bool takeAll(PeerOutput& out, PeerOutput& err, std::chrono::steady_clock::time_point deadline) {
  std::array<pollfd, 2> open{pollfd{out.from(), POLLIN, 0}, pollfd{err.from(), POLLIN, 0}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) { return false; }
    if (poll(open.data(), open.size(), static_cast<int>(left.count())) <= 0) { continue; }
    if (open[0].revents != 0 && !out.take()) { open[0].fd = -1; }
    if (open[1].revents != 0 && !err.take()) { open[1].fd = -1; }
  }
  return true;
}

/// Runs a command and fills in the time that it prints, or the problem.
void startAndWait(PeerTime& peer, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  try {
    PeerOutput out;
    PeerOutput err;
    process::ChildProcess child({.program = "/bin/sh",
                                 .arguments = {"-c", peer.command},
                                 .files = {{out.to(), STDOUT_FILENO}, {err.to(), STDERR_FILENO}},
                                 .standardStreams = false,
                                 .ownGroup = true});
    out.closeWriting();
    err.closeWriting();
    const bool ended = takeAll(out, err, deadline);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const auto end = child.waitForEnd(std::max(left, std::chrono::milliseconds(0)));
    if (!ended || !end) {
      child.kill();
      peer.problem = trf("it did not end within {} s", patience.count());
    } else if (end->status != 0) {
      const std::string said = err.lastLine().substr(0, kQuoted);
      peer.problem = trf("it {}{}{}", describe(*end), said.empty() ? "" : ": ", said);
    } else if (const auto milliseconds = millisecondsIn(out.lastLine())) {
      peer.milliseconds = *milliseconds;
    } else {
      peer.problem =
          trf("the last line it printed is not a number of milliseconds: \"{}\"", out.lastLine().substr(0, kQuoted));
    }
  } catch (const std::system_error& error) { peer.problem = error.what(); }
}

void addRates(PeerTime& peer, const SuiteClass& measured) {
  if (peer.milliseconds <= 0) { return; }
  const LimitClass& limit = measured.limit;
  peer.effectiveGBs = measured.sweepBytes * static_cast<double>(limit.steps) / (peer.milliseconds * 1e6);
  if (limit.measure == LimitClass::Measure::Copy) {
    peer.fraction = measured.copy.gbs > 0 ? peer.effectiveGBs / measured.copy.gbs : 0;
  } else if (!measured.entries.empty()) {
    // All variants of a class have as many multiply-adds in a launch.
    const SuiteEntry& root = measured.entries.front();
    peer.fraction = root.fractionOfMultiplyAdds * root.time.medianMs / peer.milliseconds;
  }
}

std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) { all += c == '\'' ? std::string("'\\''") : std::string(1, c); }
  return all + "'";
}

}  // namespace

Peer peerOf(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == option.size()) {
    throw InputError(trf("--peer {}: write NAME=COMMAND", option));
  }
  return {option.substr(0, equals), option.substr(equals + 1)};
}

std::string commandFor(const Peer& peer, const LimitClass& limit) {
  std::map<std::string, std::string> values{{"precision", realTypeName(limit.precision)},
                                            {"steps", std::to_string(limit.steps)}};
  std::int64_t size = 0;
  for (const auto& [name, value] : limit.problem) {
    values[name] = std::to_string(value);
    size = std::max(size, value);
  }
  values["size"] = std::to_string(size);
  std::string command;
  for (std::size_t at = 0; at < peer.command.size();) {
    const std::size_t close = peer.command[at] == '{' ? peer.command.find('}', at) : std::string::npos;
    if (close == std::string::npos) {
      command += peer.command[at++];
      continue;
    }
    const std::string name = peer.command.substr(at + 1, close - at - 1);
    const auto value = values.find(name);
    if (value == values.end()) {
      throw InputError(trf("--peer {}: {{{}}} is not a value of the class {}", peer.name, name, limit.name));
    }
    command += value->second;
    at = close + 1;
  }
  return command;
}

std::optional<double> millisecondsIn(std::string_view line) {
  const auto trim = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line.remove_suffix(line.size() - std::min(line.find_last_not_of(" \t") + 1, line.size()));
  };
  trim();
  if (line.ends_with("ms")) { line.remove_suffix(2); }
  trim();
  double value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc() || end != line.data() + line.size() || !std::isfinite(value) || value <= 0) { return {}; }
  return value;
}

PeerTime timePeer(const Peer& peer, const SuiteClass& measured, std::chrono::seconds patience) {
  PeerTime time{.name = peer.name, .command = peer.command};
  try {
    time.command = commandFor(peer, measured.limit);
  } catch (const InputError& error) {
    time.problem = error.what();
    return time;
  }
  startAndWait(time, patience);
  addRates(time, measured);
  return time;
}

PeerTime timeShippedPeer(const SuiteClass& measured, const std::string& folder) {
  const std::string& name = measured.limit.peer;
  Peer peer{.name = name, .command = "exec python3 " + quoted(folder + "/" + name + ".py")};
  for (const auto& [key, value] : measured.limit.problem) { peer.command += fmt::format(" {}={}", key, value); }
  peer.command += " precision={precision} steps={steps}";
  return timePeer(peer, measured);
}

}  // namespace haloscope::measuring
