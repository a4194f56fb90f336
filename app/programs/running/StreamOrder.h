#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

/// Which operations of a program, launches and copies, are over before which others begin.
namespace haloscope::running {

/// An operation: its stream's line of operations, and its number there.
struct OperationPoint {
  std::size_t line = 0;
  std::uint64_t number = 0;
};

/// The order that streams, events and the host's waiting give. Each stream is a line of operations, and knows of each
/// line up to which operation all is over when its next one begins; so does the host. Handles are what a process
/// claims: an unknown one orders everything, so that it cannot cause a finding.
class StreamOrder {
 public:
  /// `perThread`: stream 0 is that of the thread (nvcc --default-stream per-thread).
  explicit StreamOrder(bool perThread) : perThread_(perThread) { useDevice(0); }

  /// The GPU that calls from now on are for. Each has its own default stream.
  void useDevice(std::uint32_t device);
  /// The GPU that a stream was created for; none of a default stream.
  [[nodiscard]] std::optional<std::uint32_t> deviceOf(std::uint64_t stream) const;

  /// Whether a handle is none of the default stream.
  [[nodiscard]] static bool isOther(std::uint64_t stream);
  void create(std::uint64_t stream, bool nonBlocking);
  void destroy(std::uint64_t stream);

  /// An operation that the host puts into a stream.
  OperationPoint issue(std::uint64_t stream);
  void record(std::uint64_t event, std::uint64_t stream);
  void wait(std::uint64_t stream, std::uint64_t event);
  void destroyEvent(std::uint64_t event) { events_.erase(event); }

  // The host waits.
  void hostWaitsForAll();
  void hostWaitsForDevice();
  void hostWaitsForStream(std::uint64_t stream);
  void hostWaitsForEvent(std::uint64_t event);
  void hostWaitsFor(const OperationPoint& last) { join(host_, lines_.at(last.line).known); }

  /// Whether an operation is over before `last` begins, which is the last one in its stream.
  [[nodiscard]] bool isBefore(const OperationPoint& earlier, const OperationPoint& last) const {
    return knows(lines_.at(last.line).known, earlier);
  }
  /// Whether the host has waited for it: then it is over before all that follows.
  [[nodiscard]] bool isOver(const OperationPoint& one) const { return knows(host_, one); }
  /// Whether two streams exist that do not wait for each other by themselves.
  [[nodiscard]] bool mayOverlap() const { return !lost_ && (created_ > 1 || nonBlocking_ || devices_.size() > 1); }
  /// More streams or events than can be followed: nothing is known any more.
  [[nodiscard]] bool isLost() const { return lost_; }
  [[nodiscard]] bool isDefault(const OperationPoint& one) const { return isLegacy(one.line); }
  [[nodiscard]] bool onOneDevice(const OperationPoint& one, const OperationPoint& other) const {
    return lines_.at(one.line).device == lines_.at(other.line).device;
  }
  [[nodiscard]] bool isBlocking(const OperationPoint& one) const { return lines_.at(one.line).blocking; }

 private:
  using Clock = std::vector<std::uint64_t>;  ///< by line: the last operation that is over
  struct Line {
    Clock known{};  ///< the line's own last operation included
    std::uint64_t last = 0;
    std::uint32_t device = 0;
    bool blocking = true;  ///< waits for the default stream, and that one for it
    bool destroyed = false;
  };
  /// The lines of a GPU's default streams.
  struct DeviceLines {
    std::size_t legacy = 0, perThread = 0;
  };

  static void join(Clock& to, const Clock& from);
  static bool knows(const Clock& clock, const OperationPoint& point) {
    return point.number == 0 || (point.line < clock.size() && clock[point.line] >= point.number);
  }
  [[nodiscard]] std::optional<std::size_t> lineOf(std::uint64_t stream);
  /// What a line's next operation finds done.
  void meet(std::size_t line);
  void joinBlocking(Clock& clock, std::uint32_t device) const;
  [[nodiscard]] bool isLegacy(std::size_t line) const { return line == devices_[lines_.at(line).device].legacy; }

  bool perThread_;
  std::vector<Line> lines_;
  std::vector<DeviceLines> devices_;
  std::uint32_t device_ = 0;
  std::map<std::uint64_t, std::size_t> handles_;
  std::map<std::uint64_t, Clock> events_;
  Clock host_;
  std::size_t created_ = 0;
  bool perThreadUsed_ = false, nonBlocking_ = false, lost_ = false;
};

}  // namespace haloscope::running
