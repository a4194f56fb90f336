#include "recording/LogValues.h"

#include <bit>

namespace haloscope::recording {

std::uint64_t leftBy(const Instruction& instruction, std::uint64_t old, std::uint64_t operand, std::uint64_t other) {
  const ValueType type = instruction.type;
  const auto integers = [&]() -> std::uint64_t {
    switch (instruction.op) {
      case Opcode::AtomicAdd:
        return old + operand;
      case Opcode::AtomicMin:
      case Opcode::AtomicMax: {
        bool less = old < operand;
        if (type == ValueType::I32) { less = static_cast<std::int32_t>(old) < static_cast<std::int32_t>(operand); }
        if (type == ValueType::I64) { less = static_cast<std::int64_t>(old) < static_cast<std::int64_t>(operand); }
        return less == (instruction.op == Opcode::AtomicMin) ? old : operand;
      }
      case Opcode::AtomicAnd:
        return old & operand;
      case Opcode::AtomicOr:
        return old | operand;
      case Opcode::AtomicXor:
        return old ^ operand;
      case Opcode::AtomicIncrement:
        return old >= operand ? 0 : old + 1;
      case Opcode::AtomicDecrement:
        return old == 0 || old > operand ? operand : old - 1;
      case Opcode::AtomicCompareAndSwap:
        return old == operand ? other : old;
      default:
        return operand;
    }
  };
  if (instruction.op == Opcode::AtomicAdd && type == ValueType::F32) {
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(old)) +
                                        std::bit_cast<float>(static_cast<std::uint32_t>(operand)));
  }
  if (instruction.op == Opcode::AtomicAdd && type == ValueType::F64) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(operand));
  }
  return lowBytes(integers(), sizeInMemory(type));
}

}  // namespace haloscope::recording
