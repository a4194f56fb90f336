#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "running/DeviceMemory.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// An array has come to the host, or can be read there.
struct Arrival {
  std::size_t event = 0;  ///< index into ProgramRun::events: of a copy, or of a launch that writes shared memory
  AllocationId from = 0;  ///< that is copied
  std::set<std::string> kernels{};  ///< symbols of those whose results it has, or from which it was computed
};
/// In the order of the events. What goes through a texture or a surface is not followed.
[[nodiscard]] std::vector<Arrival> arrivalsIn(const ProgramRun& run);

/// The type of its elements, as a kernel has the array; none if no kernel has it.
[[nodiscard]] std::optional<ValueType> elementOf(const ProgramRun& run, AllocationId allocation);

}  // namespace haloscope::running
