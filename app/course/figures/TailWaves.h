#pragma once

#include <cstdint>
#include <optional>

#include "figures/CodeReport.h"
#include "program/Launch.h"

namespace haloscope::figures {

/// How many times the blocks of a launch fill a GPU.
struct TailWaves {
  std::uint64_t residentBlocks = 0;  ///< resident on the whole GPU at once
  double waves = 0;                  ///< launched blocks / residentBlocks; an integer if the last wave is full
};
/// Predicted from the occupancy of the compiled code. Empty if that or the number of multiprocessors is not known.
[[nodiscard]] std::optional<TailWaves> tailWaves(const LaunchConfiguration& configuration, const CodeReport& code,
                                                 const CodeTarget& target);

}  // namespace haloscope::figures
