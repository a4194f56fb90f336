#pragma once

#include <cstdint>
#include <optional>

#include "program/Program.h"

/// Arithmetic on constants at lowering time. Integers only: floating-point operations are counted as written, so they
/// are executed.
namespace haloscope::lowering {

/// The register bits of a value: sign- or zero-extended to 32 bits, or all 64.
[[nodiscard]] std::uint64_t registerBits(ValueType type, std::uint64_t value);

/// `a op b` as the program would compute it; nullopt if it is undefined or not an integer operation.
[[nodiscard]] std::optional<std::uint64_t> fold(Opcode op, ValueType type, std::uint64_t a, std::uint64_t b);

/// `op a`. The sign of a floating-point constant is folded too: -1.0f is written as one number.
[[nodiscard]] std::optional<std::uint64_t> fold(Opcode op, ValueType type, std::uint64_t a);

/// A constant converted as in C++; nullopt if that is undefined.
[[nodiscard]] std::optional<std::uint64_t> convert(ValueType from, ValueType to, std::uint64_t bits);

/// Whether every register of type `from`, read as `to`, already holds the converted value.
[[nodiscard]] bool sameBits(ValueType from, ValueType to);

/// Whether every value of type `from` is a value of type `to` (of integer types).
[[nodiscard]] bool widens(ValueType from, ValueType to);

}  // namespace haloscope::lowering
