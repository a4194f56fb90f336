#include "measuring/Peers.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <regex>
#include <system_error>
#include <utility>

#include "process/ChildProcess.h"
#include "program/Precision.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

/// A file in memory that a child process writes to.
class PeerOutput {
 public:
  PeerOutput() : file_(memfd_create("haloscope-peer", MFD_CLOEXEC)) {
    if (file_ < 0) { throw std::system_error(errno, std::generic_category(), "memfd_create"); }
  }
  PeerOutput(const PeerOutput&) = delete;
  PeerOutput& operator=(const PeerOutput&) = delete;
  ~PeerOutput() { close(file_); }

  [[nodiscard]] int file() const { return file_; }
  /// What was written, at most its last part.
  [[nodiscard]] std::string text() const {
    constexpr off_t kMost = 1 << 16;
    const off_t size = lseek(file_, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::min(size, kMost)), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), size - static_cast<off_t>(text.size()));
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  int file_;
};

std::string lastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) { text.pop_back(); }
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

/// Runs a command and fills in the time that it prints, or the problem.
void startAndWait(PeerTime& peer, std::chrono::seconds patience) {
  try {
    const PeerOutput out;
    const PeerOutput err;
    const process::ChildProcess child({.program = "/bin/sh",
                                       .arguments = {"-c", peer.command},
                                       .files = {{out.file(), STDOUT_FILENO}, {err.file(), STDERR_FILENO}},
                                       .standardStreams = false});
    const auto end = child.waitForEnd(patience);
    if (!end) {
      peer.problem = fmt::format("it did not end within {} s", patience.count());
    } else if (end->status != 0) {
      const std::string said = lastLine(err.text());
      peer.problem = fmt::format("it {}{}{}", describe(*end), said.empty() ? "" : ": ", said);
    } else if (peer.milliseconds = lastNumber(out.text()); peer.milliseconds <= 0) {
      peer.problem = "it printed no number of milliseconds";
    }
  } catch (const std::system_error& error) { peer.problem = error.what(); }
}

void addRates(PeerTime& peer, const SuiteClass& measured) {
  if (peer.milliseconds <= 0) { return; }
  const LimitClass& limit = measured.limit;
  const double sums = measured.points * static_cast<double>(limit.steps);
  peer.effectiveGBs = 2.0 * sizeInMemory(limit.precision) * sums / (peer.milliseconds * 1e6);
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
    throw InputError(fmt::format("--peer {}: write NAME=COMMAND", option));
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
      throw InputError(fmt::format("--peer {}: {{{}}} is no value of the class {}", peer.name, name, limit.name));
    }
    command += value->second;
    at = close + 1;
  }
  return command;
}

double lastNumber(const std::string& output) {
  static const std::regex kNumber(R"([0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?)");
  double last = 0;
  for (auto it = std::sregex_iterator(output.begin(), output.end(), kNumber); it != std::sregex_iterator(); ++it) {
    last = std::strtod(it->str().c_str(), nullptr);
  }
  return last;
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
