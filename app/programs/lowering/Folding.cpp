#include "lowering/Folding.h"

#include <bit>
#include <cmath>

#include "program/Half.h"

namespace haloscope::lowering {

namespace {

int width(ValueType type) { return type == ValueType::Bool ? 1 : 8 * sizeInMemory(type); }

bool isInteger(ValueType type) { return !isFloating(type) && type != ValueType::Pointer; }

std::int64_t asSigned(ValueType type, std::uint64_t bits) {
  switch (type) {
    case ValueType::I8:
      return static_cast<std::int8_t>(bits);
    case ValueType::I16:
      return static_cast<std::int16_t>(bits);
    case ValueType::I32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

double asDouble(ValueType type, std::uint64_t bits) {
  if (type == ValueType::F16) return halfValue(static_cast<std::uint16_t>(bits));
  if (type == ValueType::F32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == ValueType::F64) return std::bit_cast<double>(bits);
  return isSigned(type) ? static_cast<double>(asSigned(type, bits)) : static_cast<double>(bits);
}

std::uint64_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bitsOf(double value) { return std::bit_cast<std::uint64_t>(value); }

template <typename T>
std::optional<bool> compare(Opcode op, T a, T b) {
  switch (op) {
    case Opcode::Equal:
      return a == b;
    case Opcode::NotEqual:
      return a != b;
    case Opcode::Less:
      return a < b;
    case Opcode::LessEqual:
      return a <= b;
    case Opcode::Greater:
      return a > b;
    case Opcode::GreaterEqual:
      return a >= b;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> foldDivision(Opcode op, ValueType type, std::uint64_t a, std::uint64_t b) {
  if (b == 0) return std::nullopt;
  // A division with a remainder is executed, so that the analyses see it.
  if (!isSigned(type)) {
    if (op == Opcode::Div && a % b != 0) return std::nullopt;
    return op == Opcode::Div ? a / b : a % b;
  }
  const std::int64_t x = asSigned(type, a);
  const std::int64_t y = asSigned(type, b);
  if (y == -1) return std::nullopt;  // the most negative number has no counterpart
  if (op == Opcode::Div && x % y != 0) return std::nullopt;
  return static_cast<std::uint64_t>(op == Opcode::Div ? x / y : x % y);
}

std::optional<std::uint64_t> foldShift(Opcode op, ValueType type, std::uint64_t a, std::uint64_t b) {
  if (b >= static_cast<std::uint64_t>(width(type))) return std::nullopt;
  if (op == Opcode::Shl) return a << b;
  return isSigned(type) ? static_cast<std::uint64_t>(asSigned(type, a) >> b) : a >> b;
}

}  // namespace

std::uint64_t registerBits(ValueType type, std::uint64_t value) {
  switch (type) {
    case ValueType::Bool:
      return value & 1;
    case ValueType::U8:
      return static_cast<std::uint8_t>(value);
    case ValueType::U16:
    case ValueType::F16:
      return static_cast<std::uint16_t>(value);
    case ValueType::I8:
    case ValueType::I16:
    case ValueType::I32:
      return static_cast<std::uint32_t>(asSigned(type, value));
    case ValueType::U32:
    case ValueType::F32:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

std::optional<std::uint64_t> fold(Opcode op, ValueType type, std::uint64_t a, std::uint64_t b) {
  if (!isInteger(type)) return std::nullopt;
  const auto compared = isSigned(type) ? compare(op, asSigned(type, a), asSigned(type, b)) : compare(op, a, b);
  if (compared) return *compared ? 1 : 0;
  std::optional<std::uint64_t> result;
  switch (op) {
    case Opcode::Add:
      result = a + b;
      break;
    case Opcode::Sub:
      result = a - b;
      break;
    case Opcode::Mul:
      result = a * b;
      break;
    case Opcode::And:
      result = a & b;
      break;
    case Opcode::Or:
      result = a | b;
      break;
    case Opcode::Xor:
      result = a ^ b;
      break;
    case Opcode::Div:
    case Opcode::Rem:
      result = foldDivision(op, type, a, b);
      break;
    case Opcode::Shl:
    case Opcode::Shr:
      result = foldShift(op, type, a, b);
      break;
    default:
      break;
  }
  if (result) result = registerBits(type, *result);
  return result;
}

std::optional<std::uint64_t> fold(Opcode op, ValueType type, std::uint64_t a) {
  if (op == Opcode::Negate && type == ValueType::F16) return a ^ (std::uint64_t{1} << 15);
  if (op == Opcode::Negate && type == ValueType::F32) return a ^ (std::uint64_t{1} << 31);
  if (op == Opcode::Negate && type == ValueType::F64) return a ^ (std::uint64_t{1} << 63);
  if (!isInteger(type)) return std::nullopt;
  switch (op) {
    case Opcode::Negate:
      return registerBits(type, 0 - a);
    case Opcode::BitNot:
      return registerBits(type, ~a);
    case Opcode::LogicalNot:
      return a == 0 ? 1 : 0;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> convert(ValueType from, ValueType to, std::uint64_t bits) {
  if (from == to) return bits;
  if (from == ValueType::Pointer || to == ValueType::Pointer) return std::nullopt;
  if (to == ValueType::Bool) return asDouble(from, bits) != 0.0 ? 1 : 0;
  if (to == ValueType::F64) return bitsOf(asDouble(from, bits));
  if (to == ValueType::F16) return halfBits(static_cast<float>(roundedToHalf(asDouble(from, bits))));
  if (to == ValueType::F32) {
    if (isFloating(from)) return bitsOf(static_cast<float>(asDouble(from, bits)));
    // Not via double, which would round twice.
    return bitsOf(isSigned(from) ? static_cast<float>(asSigned(from, bits)) : static_cast<float>(bits));
  }
  if (!isFloating(from)) {
    return registerBits(to, isSigned(from) ? static_cast<std::uint64_t>(asSigned(from, bits)) : bits);
  }
  const double value = std::trunc(asDouble(from, bits));
  const int digits = width(to) - (isSigned(to) ? 1 : 0);
  const double end = std::ldexp(1.0, digits);
  const bool fits = value < end && value >= (isSigned(to) ? -end : 0.0);
  if (!fits) return std::nullopt;
  if (isSigned(to)) return registerBits(to, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  return registerBits(to, static_cast<std::uint64_t>(value));
}

bool widens(ValueType from, ValueType to) {
  if (from == to) return true;
  if (!isInteger(from) || !isInteger(to)) return false;
  if (isSigned(from)) return isSigned(to) && width(to) >= width(from);
  return width(to) > width(from);
}

bool sameBits(ValueType from, ValueType to) {
  if (from == to) return true;
  if (!isInteger(from) || !isInteger(to) || to == ValueType::Bool) return false;
  if (sizeInRegister(from) != sizeInRegister(to)) return false;
  return width(to) >= 32 || widens(from, to);
}

}  // namespace haloscope::lowering
