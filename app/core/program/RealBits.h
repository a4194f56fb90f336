#pragma once

#include <bit>
#include <cstdint>

#include "program/Half.h"
#include "program/Program.h"

namespace haloscope {

/// The number encoded by the bits of a type; half and float use the low bits. Of a 64-bit integer the nearest one.
[[nodiscard]] constexpr double numberOf(ValueType type, std::uint64_t bits) {
  if (type == ValueType::F16) { return halfValue(static_cast<std::uint16_t>(bits)); }
  if (type == ValueType::F32) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
  if (type == ValueType::F64) { return std::bit_cast<double>(bits); }
  if (!isSigned(type)) { return static_cast<double>(bits); }
  return static_cast<double>(sizeInRegister(type) == 4 ? static_cast<std::int32_t>(bits)
                                                       : static_cast<std::int64_t>(bits));
}

/// The integer encoded by the low bits of an integer type or a pointer, with its sign extended to 64 bits.
[[nodiscard]] constexpr std::uint64_t integerOf(ValueType type, std::uint64_t bits) {
  const int unused = 64 - 8 * sizeInMemory(type);
  const std::uint64_t high = bits << unused;
  return isSigned(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> unused) : high >> unused;
}

/// The bits of a value as a lane register holds it: narrow types are extended, see ValueType.
[[nodiscard]] constexpr std::uint64_t registerBits(ValueType type, std::uint64_t bits) {
  if (type == ValueType::Bool) { return (bits & 0xff) != 0 ? 1 : 0; }
  if (type == ValueType::F16) { return std::bit_cast<std::uint32_t>(halfValue(static_cast<std::uint16_t>(bits))); }
  return isFloating(type) ? bits : integerOf(type, bits);
}

/// The bits of the nearest number of a floating-point type, ties to even.
[[nodiscard]] constexpr std::uint64_t bitsOf(ValueType type, double number) {
  if (type == ValueType::F16) { return halfBits(static_cast<float>(roundedToHalf(number))); }
  if (type == ValueType::F32) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); }
  return std::bit_cast<std::uint64_t>(number);
}

}  // namespace haloscope
