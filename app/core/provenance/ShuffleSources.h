#pragma once

#include <array>
#include <cstdint>

#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// The lanes whose values the active lanes of a warp take in a Shuffle that they have just executed.
struct ShuffleSources {
  LaneMask given = 0;  ///< lanes that take a value; other active ones asked a lane that takes no part
  std::array<std::uint8_t, kWarpSize> from{};

  ShuffleSources(const simt::WarpContext& context, const Instruction& shuffle);
};

}  // namespace haloscope::provenance
