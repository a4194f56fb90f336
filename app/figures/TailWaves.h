#pragma once

#include <cstdint>
#include <optional>

#include "figures/CodeReport.h"
#include "program/Launch.h"

namespace haloscope::figures {

/// How often a GPU is filled with the blocks of a launch.
struct TailWaves {
  std::uint64_t residentBlocks = 0;  ///< that the whole GPU holds at once
  double waves = 0;                  ///< launched blocks / residentBlocks: the last wave is full where this is whole
};
/// Predicted from what a multiprocessor holds of the compiled code. Nothing where that, or the number of
/// multiprocessors, is not known.
[[nodiscard]] std::optional<TailWaves> tailWaves(const LaunchConfiguration& configuration, const CodeReport& code,
                                                 const CodeTarget& target);

}  // namespace haloscope::figures
