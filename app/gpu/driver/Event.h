#pragma once

#include <memory>

#include "driver/Device.h"

struct CUevent_st;

namespace haloscope::gpu {

/// A marker in a stream that records when the GPU passed it.
class Event {
 public:
  /// Throws Error.
  explicit Event(std::shared_ptr<const Device> device);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  void record(const Stream& stream);
  /// True if the GPU has passed it. Never waits. Throws Error if work before it failed.
  [[nodiscard]] bool passed() const;
  /// Milliseconds from `begin` to this; both must have passed.
  [[nodiscard]] double millisecondsSince(const Event& begin) const;

 private:
  std::shared_ptr<const Device> device_;
  CUevent_st* handle_ = nullptr;
};

/// A pair of events around timed work.
struct EventPair {
  explicit EventPair(const std::shared_ptr<const Device>& device) : begin(device), end(device) {}
  [[nodiscard]] double milliseconds() const { return end.millisecondsSince(begin); }

  Event begin, end;
};

}  // namespace haloscope::gpu
