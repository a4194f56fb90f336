#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>

#include "program/Launch.h"
#include "program/Program.h"
#include "running/ByteSet.h"

/// Which bytes of its arrays a launch really touches.
namespace haloscope::running {

struct TouchedBytes {
  ByteSet reads, writes;
  ByteSet shared;  ///< by atomics, or through volatile: made to be touched by others, too
};

/// Whether all that a kernel touches follows from its arguments, whatever it reads.
[[nodiscard]] bool touchesByArguments(const Program& program);

struct TouchBudget {
  std::uint64_t instructions = 0;  ///< warp instructions
  unsigned workers = 0;
  std::stop_token stop{};
};

struct Touches {
  std::optional<std::map<ObjectId, TouchedBytes>>
      objects;                     ///< none: the launch did not come to its end, or left arrays
  std::uint64_t instructions = 0;  ///< that finding out took
};

/// What a launch touches in global and constant memory, by executing it. Its arrays are changed.
[[nodiscard]] Touches touchesOf(const Program& program, Launch& launch, const TouchBudget& budget);

}  // namespace haloscope::running
