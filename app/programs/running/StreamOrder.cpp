#include "running/StreamOrder.h"

#include <algorithm>
#include <utility>

namespace haloscope::running {

namespace {

// Of what a program does, and of what a process may claim that it does.
constexpr std::size_t kMostLines = 256;
constexpr std::size_t kMostEventNumbers = std::size_t{1} << 20;  ///< of the clocks of all events

// The runtime's own handles: cudaStreamLegacy and cudaStreamPerThread.
constexpr std::uint64_t kNoHandle = 0, kLegacyHandle = 1, kPerThreadHandle = 2;

}  // namespace

bool StreamOrder::isOther(std::uint64_t stream) { return stream != kNoHandle && stream != kLegacyHandle; }

void StreamOrder::useDevice(std::uint32_t device) {
  while (devices_.size() <= device) {
    const auto next = static_cast<std::uint32_t>(devices_.size());
    devices_.push_back({.legacy = lines_.size(), .perThread = lines_.size() + 1});
    lines_.resize(lines_.size() + 2, Line{.known = host_, .device = next});
  }
  device_ = device;
}

std::optional<std::uint32_t> StreamOrder::deviceOf(std::uint64_t stream) const {
  const auto known = handles_.find(stream);
  return known == handles_.end() ? std::nullopt : std::optional(lines_[known->second].device);
}

void StreamOrder::join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) { to.resize(from.size()); }
  for (std::size_t i = 0; i < from.size(); ++i) { to[i] = std::max(to[i], from[i]); }
}

std::optional<std::size_t> StreamOrder::lineOf(std::uint64_t stream) {
  if (stream == kLegacyHandle || (stream == kNoHandle && !perThread_)) { return devices_[device_].legacy; }
  if (stream == kPerThreadHandle || stream == kNoHandle) {
    if (!std::exchange(perThreadUsed_, true)) { ++created_; }
    return devices_[device_].perThread;
  }
  const auto known = handles_.find(stream);
  return known == handles_.end() ? std::nullopt : std::optional(known->second);
}

void StreamOrder::create(std::uint64_t stream, bool nonBlocking) {
  ++created_;
  nonBlocking_ = nonBlocking_ || nonBlocking;
  // The line of a stream that is gone, once everything in it is over, can be another's.
  const auto isFree = [&](const Line& one) {
    return one.destroyed && knows(host_, {static_cast<std::size_t>(&one - lines_.data()), one.last});
  };
  auto line = std::ranges::find_if(lines_, isFree);
  if (line == lines_.end()) {
    if (lines_.size() >= kMostLines) {
      lost_ = true;
      return;
    }
    line = lines_.insert(lines_.end(), Line{});
  }
  line->known = host_;
  line->device = device_;
  line->blocking = !nonBlocking;
  line->destroyed = false;
  handles_[stream] = static_cast<std::size_t>(line - lines_.begin());
}

void StreamOrder::destroy(std::uint64_t stream) {
  const auto known = handles_.find(stream);
  if (known == handles_.end()) { return; }
  lines_[known->second].destroyed = true;
  handles_.erase(known);
}

void StreamOrder::joinBlocking(Clock& clock, std::uint32_t device) const {
  for (const Line& one : lines_) {
    if (one.blocking && one.device == device) { join(clock, one.known); }
  }
}

void StreamOrder::meet(std::size_t line) {
  Clock& known = lines_[line].known;
  join(known, host_);
  const std::uint32_t device = lines_[line].device;
  if (isLegacy(line)) {
    joinBlocking(known, device);
  } else if (lines_[line].blocking) {
    join(known, lines_[devices_[device].legacy].known);
  }
}

OperationPoint StreamOrder::issue(std::uint64_t stream) {
  const std::optional<std::size_t> given = lineOf(stream);
  if (!given) { hostWaitsForAll(); }
  const std::size_t line = given.value_or(devices_[device_].legacy);
  meet(line);
  Line& one = lines_[line];
  if (one.known.size() < lines_.size()) { one.known.resize(lines_.size()); }
  one.known[line] = ++one.last;
  const OperationPoint point{.line = line, .number = one.last};
  if (!given) { hostWaitsFor(point); }
  return point;
}

void StreamOrder::record(std::uint64_t event, std::uint64_t stream) {
  const std::optional<std::size_t> line = lineOf(stream);
  if (!line) {
    hostWaitsForAll();
    return;
  }
  meet(*line);
  if (!events_.contains(event) && (events_.size() + 1) * lines_.size() > kMostEventNumbers) {
    lost_ = true;
    return;
  }
  events_[event] = lines_[*line].known;
}

void StreamOrder::wait(std::uint64_t stream, std::uint64_t event) {
  const auto recorded = events_.find(event);
  if (recorded == events_.end()) { return; }
  const std::optional<std::size_t> line = lineOf(stream);
  if (!line) {
    hostWaitsForAll();
    return;
  }
  meet(*line);
  join(lines_[*line].known, recorded->second);
}

void StreamOrder::hostWaitsForDevice() {
  for (const Line& one : lines_) {
    if (one.device == device_) { join(host_, one.known); }
  }
}

void StreamOrder::hostWaitsForAll() {
  for (const Line& one : lines_) { join(host_, one.known); }
}

void StreamOrder::hostWaitsForStream(std::uint64_t stream) {
  const std::optional<std::size_t> line = lineOf(stream);
  if (!line) { return hostWaitsForAll(); }
  // The default stream is over once all is that it waits for.
  meet(*line);
  join(host_, lines_[*line].known);
}

void StreamOrder::hostWaitsForEvent(std::uint64_t event) {
  if (const auto recorded = events_.find(event); recorded != events_.end()) { join(host_, recorded->second); }
}

}  // namespace haloscope::running
