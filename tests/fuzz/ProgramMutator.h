#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/Program.h"

namespace haloscope::fuzz {

/// A few numbers of a program changed: operands, types, opcodes, targets, sizes; instructions moved, doubled or left
/// out. The same seed gives the same program. Most are still well formed.
[[nodiscard]] Program mutatedProgram(const Program& program, unsigned seed);

/// Part of one program's code in the other.
[[nodiscard]] Program joinedPrograms(Program program, const Program& other, unsigned seed);

/// A few bytes changed, left out or doubled.
[[nodiscard]] std::vector<std::byte> mutatedBytes(std::span<const std::byte> bytes, unsigned seed);

}  // namespace haloscope::fuzz
