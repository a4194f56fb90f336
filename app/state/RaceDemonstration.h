#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "analysis/StagedRace.h"
#include "recording/Recording.h"
#include "simt/Executor.h"

namespace haloscope {

/// The steps from a barrier taken out to outputs that are wrong (see Barriers.h).
struct RaceDemonstration {
  enum class Next : std::uint8_t {
    Nothing,
    Race,       ///< choose the race once the checks have found it
    WrongRead,  ///< move the cursor to the first read that goes wrong once the block has run in the revealing order
  };
  Next next = Next::Nothing;
  std::optional<int> removed;                            ///< line of the barrier that the key took out last
  std::optional<analysis::StagedRace> race;              ///< that the stage shows
  std::weak_ptr<const recording::Recording> recordedIn;  ///< where it happens
  std::optional<simt::WarpOrder> orderBefore;            ///< of the warps, before the revealing one was chosen
};

}  // namespace haloscope
