#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Of the threads that evaluate a condition, those for which it holds.
struct GoingOn {
  std::size_t threads = 0;
  std::size_t of = 0;
  bool loop = false;    ///< it is a loop's
  bool begins = false;  ///< ... and they all come to it from before the loop
  bool operator==(const GoingOn&) const = default;
};

/// What a step that is nothing but the condition of an `if` or a loop comes to: a recording has no value for it, but
/// the threads that execute the first statement inside. None where that is not certain: nothing is inside, a function
/// is called in the condition, the recording ends early, or a warp goes on much later.
[[nodiscard]] std::optional<GoingOn> threadsGoingOn(const Recording& recording, std::size_t step);

/// For how many threads the condition of an `if`, a loop or a `switch` holds, which is all of a step: "The loop goes on
/// for 16 of 24 threads"; empty if it is none.
[[nodiscard]] std::string conditionText(const Recording& recording, std::size_t step);

/// What a step does in which threads come to a barrier: "Warp 0 waits at the barrier for warp 1"; empty if its code has
/// no barrier, and none of its threads waits at one.
[[nodiscard]] std::string barrierText(const Recording& recording, std::size_t step);

}  // namespace haloscope::recording
