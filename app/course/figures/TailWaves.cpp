#include "figures/TailWaves.h"

namespace haloscope::figures {

std::optional<TailWaves> tailWaves(const LaunchConfiguration& configuration, const CodeReport& code,
                                   const CodeTarget& target) {
  if (code.occupancy.residentBlocks <= 0 || target.multiprocessors <= 0) { return std::nullopt; }
  const std::uint64_t held =
      static_cast<std::uint64_t>(code.occupancy.residentBlocks) * static_cast<std::uint64_t>(target.multiprocessors);
  return TailWaves{held, static_cast<double>(configuration.grid.count()) / static_cast<double>(held)};
}

}  // namespace haloscope::figures
