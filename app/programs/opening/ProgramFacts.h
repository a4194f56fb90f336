#pragma once

#include <array>
#include <set>

#include "program/Program.h"

namespace haloscope::opening {

/// How a program uses memory and the indices of threads and blocks.
struct ProgramFacts {
  std::set<ObjectId> read, written;
  std::array<bool, 3> axes{};
  std::array<bool, 3> threads{};  ///< axes along which threads differ
  bool clamps = false;            ///< uses integer min or max: the border is neither kept nor zero
};

[[nodiscard]] ProgramFacts factsOf(const Program& program);

}  // namespace haloscope::opening
