#pragma once

#include <cstddef>
#include <optional>

#include "faults/Finding.h"
#include "program/Program.h"
#include "recording/Recording.h"

namespace haloscope::faults {

/// The position where the statement of one of a finding's places has run and what was found happened: in a loop, not
/// its first iteration but that in which the thread accesses the element. Else the first in the finding's barrier
/// interval, else the first of any; nothing if the recording has none.
[[nodiscard]] std::optional<std::size_t> positionOf(const SourceRange& where, const Finding& finding,
                                                    const recording::Recording& recording);

}  // namespace haloscope::faults
