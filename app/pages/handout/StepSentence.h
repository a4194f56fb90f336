#pragma once

#include <cstddef>
#include <string>

#include "recording/Recording.h"

namespace haloscope::handout {

/// What a step did, for readers who do not see the picture: "Line 41, 36 of 64 threads. Global memory read: in. Shared
/// memory written: inNext_s."
[[nodiscard]] std::string stepSentence(const recording::Recording& recording, std::size_t step);

}  // namespace haloscope::handout
