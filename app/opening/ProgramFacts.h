#pragma once

#include <array>
#include <set>

#include "program/Program.h"

namespace haloscope::opening {

/// What instructions do with memory and with the indices of threads and blocks.
struct ProgramFacts {
  std::set<ObjectId> read, written;
  std::array<bool, 3> axes{};
  std::array<bool, 3> threads{};  ///< axes along which threads differ
  bool clamps = false;            ///< integer min or max: a border that is neither kept nor zero
};

[[nodiscard]] ProgramFacts factsOf(const Program& program);

}  // namespace haloscope::opening
