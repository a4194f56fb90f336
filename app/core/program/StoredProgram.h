#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// A program as bytes, the same on every machine: what the process that compiles texts sends, and what a page or a
/// notebook can keep to execute it without a compiler.
[[nodiscard]] std::vector<std::byte> store(const Program& program);

/// The program that was stored. The bytes may be damaged or forged: throws InputError unless they are exactly one
/// program of this version that is well formed, see checkWellFormed(). Takes memory within a small multiple of the
/// bytes.
[[nodiscard]] Program readProgram(std::span<const std::byte> bytes);

}  // namespace haloscope
