#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "running/DeviceMemory.h"
#include "running/ProgramRun.h"
#include "running/Transfers.h"

namespace haloscope::running {

/// What a Repetition changes of a run, or looks at, while it is executed. In a run that is none it does nothing.
class RepeatedRun {
 public:
  RepeatedRun(const std::optional<Repetition>& how, DeviceMemory& memory) : how_(how), memory_(memory) {}

  /// The rows that the host gets of a copy, the last event, valid until the next call.
  [[nodiscard]] DeviceRows rowsOf(DeviceRows rows, const std::vector<ProgramEvent>& events);
  /// A launch, the last event, has been executed.
  void launched(const ProgramLaunch& launch, std::size_t events);
  /// What one of the host's arrays gets after it; null: none gets anything.
  [[nodiscard]] const GivenArray* given(std::size_t events);
  [[nodiscard]] std::span<const std::byte> givenBytes() const { return bytes_; }

 private:
  void tellOfOthers(std::size_t event, AllocationId copied) const;

  const std::optional<Repetition>& how_;
  DeviceMemory& memory_;
  std::vector<std::byte> bytes_;
};

}  // namespace haloscope::running
