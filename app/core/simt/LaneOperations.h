#pragma once

#include "program/Program.h"
#include "program/Shuffle.h"
#include "simt/DecodedStep.h"
#include "simt/LaneLoop.h"

/// The lane operations: for each instruction without control flow, the function that executes it for 32 lanes. One
/// source file per family. All throw std::logic_error for an instruction that the IR does not define.
namespace haloscope::simt {

/// Add … Shr, Negate, BitNot, LogicalNot, Select, Fma. `shiftCount` is the type of a shift's right operand.
[[nodiscard]] StepFunction arithmeticStep(Opcode op, ValueType type, ValueType shiftCount, InstructionSet set);

/// Equal … GreaterEqual.
[[nodiscard]] StepFunction comparisonStep(Opcode op, ValueType type, InstructionSet set);

/// Convert. Integers wrap; floating values are rounded towards zero and saturate as PTX `cvt.rzi` does.
[[nodiscard]] StepFunction conversionStep(ValueType from, ValueType to, InstructionSet set);

/// Reinterpret.
[[nodiscard]] StepFunction reinterpretStep(ValueType type, InstructionSet set);

/// Shuffle, Vote and BarrierVote.
[[nodiscard]] StepFunction shuffleStep(ValueType type, ShuffleKind kind, InstructionSet set);
[[nodiscard]] StepFunction voteStep(VoteKind kind, InstructionSet set);
[[nodiscard]] StepFunction barrierVoteStep(BarrierKind kind, InstructionSet set);

/// Math.
[[nodiscard]] StepFunction mathStep(MathFunction function, ValueType type, InstructionSet set);

/// Offset, PointerDifference: `integer` is the type of the added operand, `scale` the size of an element in bytes.
[[nodiscard]] StepFunction offsetStep(ValueType integer, std::uint32_t scale, InstructionSet set);
[[nodiscard]] StepFunction pointerDifferenceStep(InstructionSet set);

/// MapShared, MappedRank: DecodedStep::aux is how many objects the program has, or 1.
[[nodiscard]] StepFunction mapSharedStep(InstructionSet set);
[[nodiscard]] StepFunction mappedRankStep(InstructionSet set);

/// Assign.
[[nodiscard]] StepFunction assignStep(ValueType type, InstructionSet set);

/// The lanes in which a Bool register is true, as a mask; for If and LoopTest.
using ConditionFunction = LaneMask (*)(const std::uint32_t* lanes);
[[nodiscard]] ConditionFunction conditionFunction(InstructionSet set);

/// Variants of a memory step, independent of its instruction.
struct MemoryStepKind {
  bool observed = false;     ///< report every access to the listener
  bool knownObject = false;  ///< DecodedStep::aux names the object
  bool local = false;        ///< that object is Local
  bool async = false;        ///< a Store that takes effect later: see Instruction::async
};

/// Load, Store and the atomics.
[[nodiscard]] StepFunction memoryStep(Opcode op, ValueType element, MemoryStepKind kind, InstructionSet set);

/// The error thrown for undefined instructions.
[[noreturn]] void undefinedFor(Opcode op, ValueType type);

}  // namespace haloscope::simt
