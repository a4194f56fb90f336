#pragma once

#include <cstdint>

#include "program/Program.h"

namespace haloscope {

/// What the register of an operand must be.
enum class OperandForm : std::uint8_t {
  None,       ///< there is none
  Typed,      ///< of the instruction's type, or another integer type with lanes of the same size
  SameSize,   ///< with lanes of the size that the instruction's type has
  Any,        ///< of any type
  Integer,    ///< an integer, or a pointer, of either size
  Word,       ///< an integer whose lanes have 4 bytes: a Bool, a mask, a count
  Long,       ///< an integer whose lanes have 8 bytes, or a pointer
  MaybeWord,  ///< Word or None
  MaybeLong,
  MaybeConstant,  ///< a constant of type I64, or None
};

/// What Instruction::aux means.
enum class AuxForm : std::uint8_t {
  None,  ///< kNone
  Cast,  ///< kConvertAsked or kNone
  Function,
  Bytes,     ///< any number
  Distance,  ///< a number that is divided by: not 0
  Object,    ///< an object or kNone
  Shuffle,
  Vote,
  Ballot,  ///< BarrierKind of a barrier that votes
  Statement,
  Loop,  ///< a loop or kNone
  Call,
  Barrier,
  Action,  ///< MemoryBarrierAction
  Scope,
  Assertion,  ///< an assertion or kNone
};

/// Which types an instruction is defined for.
enum class TypeForm : std::uint8_t {
  Any,
  Integers,  ///< and Bool, and pointers
  Atomic,    ///< the integers of 32 and 64 bits
  Added,     ///< those, F32 and F64
  Math,      ///< of a MathFunction: all for Abs, Min and Max, else the floating ones
  Pointer,
};

/// What the instructions with an opcode have: their operands, the meaning of their aux, their types.
struct InstructionForm {
  OperandForm dst = OperandForm::None, a = OperandForm::None, b = OperandForm::None, c = OperandForm::None;
  AuxForm aux = AuxForm::None;
  TypeForm types = TypeForm::Any;
};

/// The form of an instruction. Where operands depend on aux, aux must be within its enumeration.
[[nodiscard]] InstructionForm formOf(const Instruction& instruction);

/// Whether aux is what its form says, in this program.
[[nodiscard]] bool hasValidAux(const Program& program, const Instruction& instruction, AuxForm form);
/// Whether the operand is what its form says, for an instruction of this type.
[[nodiscard]] bool isOperand(const Program& program, RegisterId reg, OperandForm form, ValueType type);
/// Whether the instruction's type is one that its form allows.
[[nodiscard]] bool hasValidType(const Instruction& instruction, TypeForm form);

}  // namespace haloscope
