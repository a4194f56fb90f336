#pragma once

#include <cstdint>
#include <optional>

#include "simt/Executor.h"

namespace haloscope {

/// The steps from a barrier taken out to outputs that are wrong (see Barriers.h).
struct RaceDemonstration {
  enum class Next : std::uint8_t {
    Nothing,
    Race,          ///< choose the race once the checks have found it
    WrongOutputs,  ///< move the cursor to the end once the block has been executed in the revealing order
  };
  Next next = Next::Nothing;
  std::optional<int> removed;                  ///< line of the barrier that the key took out last
  std::optional<simt::WarpOrder> orderBefore;  ///< of the warps, before the revealing one was chosen
};

}  // namespace haloscope
