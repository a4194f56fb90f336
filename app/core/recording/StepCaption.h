#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Cursor.h"

namespace haloscope::recording {

/// What the current step does, in one sentence without a full stop, and the step's position.
struct StepCaption {
  std::string title;   ///< "Plane 22 is loaded from `in` into `inNext_s`": names stand between backticks
  std::string detail;  ///< "step 51 of 74 · barrier interval 8 · plane i = 21"
  bool operator==(const StepCaption&) const = default;
};

/// Of any kernel, from its recording alone: names are shown and never interpreted. What the recording does not show is
/// not said; a step of which nothing else is known is a line that threads execute. `view` is the block at the cursor's
/// position. Costs as much as the step has changes and accesses, and the slice of the carrier that it fills. Both texts
/// are empty without a recording.
[[nodiscard]] StepCaption captionOf(const Cursor& cursor, const Footprint& footprint,
                                    const std::vector<Carrier>& carriers, const BlockView& view);

/// The second of them alone, which needs no view.
[[nodiscard]] std::string stepPlaceText(const Cursor& cursor);

/// "i = 22": the value that the loop's variable has in a plane; its number where the loop has no variable.
[[nodiscard]] std::string planeText(const Recording& recording, std::uint32_t plane);

}  // namespace haloscope::recording
