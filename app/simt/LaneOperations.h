#pragma once

#include "program/Program.h"
#include "program/Shuffle.h"
#include "simt/LaneLoop.h"
#include "simt/Step.h"

/// The lane operations: for each instruction without control flow, the function that carries it out for 32 lanes. One
/// source file for each family. All throw std::logic_error for an instruction that the IR does not define.
namespace haloscope::simt {

/// Add … Shr, Negate, BitNot, LogicalNot, Select, Fma. `shiftCount` is the type of a shift's right operand.
[[nodiscard]] StepFunction arithmeticStep(Opcode op, ValueType type, ValueType shiftCount, InstructionSet set);

/// Equal … GreaterEqual.
[[nodiscard]] StepFunction comparisonStep(Opcode op, ValueType type, InstructionSet set);

/// Convert. Integers wrap; floating values are rounded towards zero and saturate as PTX `cvt.rzi` does.
[[nodiscard]] StepFunction conversionStep(ValueType from, ValueType to, InstructionSet set);

/// Reinterpret.
[[nodiscard]] StepFunction reinterpretStep(ValueType type, InstructionSet set);

/// Shuffle and Vote.
[[nodiscard]] StepFunction shuffleStep(ValueType type, ShuffleKind kind, InstructionSet set);
[[nodiscard]] StepFunction voteStep(VoteKind kind, InstructionSet set);

/// Math.
[[nodiscard]] StepFunction mathStep(MathFunction function, ValueType type, InstructionSet set);

/// Offset, PointerDifference: `integer` is the type of the operand that is added, `scale` the bytes of an element.
[[nodiscard]] StepFunction offsetStep(ValueType integer, std::uint32_t scale, InstructionSet set);
[[nodiscard]] StepFunction pointerDifferenceStep(InstructionSet set);

/// Assign.
[[nodiscard]] StepFunction assignStep(ValueType type, InstructionSet set);

/// Where a Bool register is true, as a mask: what If and LoopTest look at.
using ConditionFunction = LaneMask (*)(const std::uint32_t* lanes);
[[nodiscard]] ConditionFunction conditionFunction(InstructionSet set);

/// How a memory step is to be carried out, apart from its instruction.
struct MemoryStepKind {
  bool observed = false;     ///< tell the listener about every access
  bool knownObject = false;  ///< Step::aux names the object
  bool local = false;        ///< that object is Local
};

/// Load, Store and the atomics.
[[nodiscard]] StepFunction memoryStep(Opcode op, ValueType element, MemoryStepKind kind, InstructionSet set);

/// What they throw.
[[noreturn]] void undefinedFor(Opcode op, ValueType type);

}  // namespace haloscope::simt
