#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "analysis/StagedRace.h"
#include "checking/Check.h"
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
  std::optional<int> removed;  ///< line of the barrier that the key took out last
  /// The read by which an output became wrong, and where it was recorded; until another finding is chosen.
  std::optional<analysis::StagedRace> wrongRead;
  std::weak_ptr<const recording::Recording> recordedIn;
  /// What the stage shows, and of what it was found: it is looked for again when one of them changes.
  struct Staged {
    std::optional<analysis::StagedRace> race;
    std::weak_ptr<const recording::Recording> recording;
    std::weak_ptr<const checking::CheckReport> report;
    std::optional<std::size_t> finding;
  } staged;
  std::optional<simt::WarpOrder> orderBefore;  ///< of the warps, before the revealing one was chosen
};

}  // namespace haloscope
