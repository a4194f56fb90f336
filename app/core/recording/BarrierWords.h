#pragma once

#include <cstddef>
#include <string>

#include "recording/Recording.h"

namespace haloscope::recording {

/// What a step does in which threads come to a barrier: "Warp 0 waits at the barrier for warp 1"; empty if its code has
/// no barrier, and none of its threads waits at one.
[[nodiscard]] std::string barrierText(const Recording& recording, std::size_t step);

}  // namespace haloscope::recording
