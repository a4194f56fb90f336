#pragma once

#include <cstddef>
#include <string>

#include "recording/Recording.h"

namespace haloscope::recording {

/// For how many threads the condition of an `if`, a loop or a `switch` holds, which is all of a step: "The loop goes on
/// for 16 of 24 threads"; empty if it is none.
[[nodiscard]] std::string conditionText(const Recording& recording, std::size_t step);

}  // namespace haloscope::recording
