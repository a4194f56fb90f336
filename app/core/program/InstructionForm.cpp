#include "program/InstructionForm.h"

#include <array>
#include <cstddef>

#include "program/Shuffle.h"

namespace haloscope {

namespace {

using enum OperandForm;

constexpr InstructionForm unary(TypeForm types = TypeForm::Any) { return {.dst = Typed, .a = Typed, .types = types}; }
constexpr InstructionForm binary(TypeForm types = TypeForm::Any) {
  return {.dst = Typed, .a = Typed, .b = Typed, .types = types};
}
constexpr InstructionForm shift() { return {.dst = Typed, .a = Typed, .b = Integer, .types = TypeForm::Integers}; }
constexpr InstructionForm comparison() { return {.dst = Word, .a = Typed, .b = Typed}; }
constexpr InstructionForm atomic(TypeForm types) {
  return {.dst = Typed, .a = Long, .b = Typed, .aux = AuxForm::Object, .types = types};
}

/// By opcode, in their order.
constexpr auto kForms = std::to_array<InstructionForm>({
    /* Add */ binary(),
    /* Sub */ binary(),
    /* Mul */ binary(),
    /* Div */ binary(),
    /* Rem */ binary(TypeForm::Integers),
    /* And */ binary(TypeForm::Integers),
    /* Or */ binary(TypeForm::Integers),
    /* Xor */ binary(TypeForm::Integers),
    /* Shl */ shift(),
    /* Shr */ shift(),
    /* Equal */ comparison(),
    /* NotEqual */ comparison(),
    /* Less */ comparison(),
    /* LessEqual */ comparison(),
    /* Greater */ comparison(),
    /* GreaterEqual */ comparison(),
    /* Negate */ unary(),
    /* BitNot */ unary(TypeForm::Integers),
    /* LogicalNot */ {.dst = Word, .a = Typed},
    /* Convert */ {.dst = Typed, .a = Any, .aux = AuxForm::Cast},
    /* Reinterpret */ {.dst = Typed, .a = SameSize},
    /* Select */ {.dst = Typed, .a = Word, .b = Typed, .c = Typed},
    /* Fma */ {.dst = Typed, .a = Typed, .b = Typed, .c = Typed},
    /* Math */ {.dst = Typed, .a = Typed, .aux = AuxForm::Function, .types = TypeForm::Math},
    /* Offset */
    {.dst = Typed, .a = Typed, .b = Integer, .c = MaybeConstant, .aux = AuxForm::Bytes, .types = TypeForm::Pointer},
    /* PointerDifference */ {.dst = Long, .a = Long, .b = Long, .aux = AuxForm::Distance},
    /* MapShared */ {.dst = Typed, .a = Typed, .b = Word, .types = TypeForm::Pointer},
    /* MappedRank */ {.dst = Word, .a = Long},
    /* Assign */ unary(),
    /* Load */ {.dst = Typed, .a = Long, .aux = AuxForm::Object},
    /* Store */ {.a = Long, .b = Typed, .aux = AuxForm::Object},
    /* AtomicAdd */ atomic(TypeForm::Added),
    /* AtomicMin */ atomic(TypeForm::Atomic),
    /* AtomicMax */ atomic(TypeForm::Atomic),
    /* AtomicAnd */ atomic(TypeForm::Atomic),
    /* AtomicOr */ atomic(TypeForm::Atomic),
    /* AtomicXor */ atomic(TypeForm::Atomic),
    /* AtomicExchange */ atomic(TypeForm::Added),
    /* AtomicIncrement */ atomic(TypeForm::Atomic),
    /* AtomicDecrement */ atomic(TypeForm::Atomic),
    /* AtomicCompareAndSwap */
    {.dst = Typed, .a = Long, .b = Typed, .c = Typed, .aux = AuxForm::Object, .types = TypeForm::Atomic},
    /* Shuffle */ {.dst = Typed, .a = Typed, .b = Word, .c = Word, .aux = AuxForm::Shuffle},
    /* Vote */ {.dst = Word, .a = Word, .b = Word, .aux = AuxForm::Vote},
    /* BarrierVote */ {.dst = Word, .aux = AuxForm::Ballot},
    /* Statement */ {.aux = AuxForm::Statement},
    /* If */ {.a = Word},
    /* Else */ {},
    /* EndIf */ {},
    /* Loop */ {.aux = AuxForm::Loop},
    /* LoopTest */ {.a = Word},
    /* LoopNext */ {},
    /* LoopBack */ {},
    /* EndLoop */ {},
    /* Break */ {},
    /* Continue */ {},
    /* Return */ {},
    /* Call */ {.aux = AuxForm::Call},
    /* EndCall */ {},
    /* Barrier */ {.aux = AuxForm::Barrier},
    /* WarpBarrier */ {.a = Word},
    /* CopyCommit */ {.a = MaybeLong},
    /* CopyWait */ {.a = Word},
    /* MemoryBarrier */ {.a = Long, .aux = AuxForm::Action},
    /* Fence */ {.aux = AuxForm::Scope},
    /* Trap */ {.aux = AuxForm::Assertion},
    /* End */ {},
});
static_assert(kForms.size() == static_cast<std::size_t>(Opcode::End) + 1);

bool hasTwoOperands(MathFunction function) {
  switch (function) {
    case MathFunction::Min:
    case MathFunction::Max:
    case MathFunction::Pow:
    case MathFunction::Atan2:
    case MathFunction::Fmod:
    case MathFunction::Hypot:
    case MathFunction::Copysign:
      return true;
    default:
      return false;
  }
}

bool isVote(BarrierKind kind) {
  return kind == BarrierKind::Count || kind == BarrierKind::And || kind == BarrierKind::Or;
}

InstructionForm withOperandsOf(MemoryBarrierAction action, InstructionForm form) {
  switch (action) {
    case MemoryBarrierAction::Initialise:
    case MemoryBarrierAction::AwaitParity:
      form.b = Word;
      break;
    case MemoryBarrierAction::Invalidate:
      break;
    case MemoryBarrierAction::Arrive:
    case MemoryBarrierAction::ArriveDrop:
      form.dst = MaybeLong;
      form.b = Word;
      form.c = MaybeWord;
      break;
    case MemoryBarrierAction::Expect:
      form.c = Word;
      break;
    case MemoryBarrierAction::AskPhase:
      form.dst = Word;
      form.b = Long;
      break;
    case MemoryBarrierAction::AskParity:
      form.dst = form.b = Word;
      break;
    case MemoryBarrierAction::AwaitPhase:
      form.b = Long;
      break;
  }
  return form;
}

/// Types of one kind and size hold the same values in the same lanes.
bool alike(ValueType one, ValueType other) {
  if (isFloating(one) || isFloating(other)) { return one == other; }
  return sizeInRegister(one) == sizeInRegister(other);
}

template <typename Enum>
constexpr bool isOneOf(std::uint32_t value, Enum last) {
  return value <= static_cast<std::uint32_t>(last);
}

bool isShuffle(std::uint32_t packed) {
  const ShuffleMode mode = ShuffleMode::unpack(packed);
  return isOneOf(packed & 0xffU, ShuffleKind::Xor) &&
         (mode.width == ShuffleMode::kInOperand || ShuffleOperand::isWidth(mode.width));
}

}  // namespace

InstructionForm formOf(const Instruction& instruction) {
  InstructionForm form = kForms[static_cast<std::size_t>(instruction.op)];
  switch (instruction.op) {
    case Opcode::Math:
      if (hasTwoOperands(static_cast<MathFunction>(instruction.aux))) { form.b = Typed; }
      break;
    case Opcode::Vote:
      if (static_cast<VoteKind>(instruction.aux) == VoteKind::ActiveMask) { form.a = form.b = None; }
      break;
    case Opcode::Barrier:
      if (isVote(barrierKind(instruction))) { form.a = Word; }
      break;
    case Opcode::MemoryBarrier:
      return withOperandsOf(memoryBarrierAction(instruction), form);
    case Opcode::Trap:
      if (instruction.aux != kNone) { form.a = Word; }
      break;
    default:
      break;
  }
  return form;
}

bool hasValidAux(const Program& program, const Instruction& instruction, AuxForm form) {
  const std::uint32_t aux = instruction.aux;
  switch (form) {
    case AuxForm::None:
      return aux == kNone;
    case AuxForm::Cast:
      return aux == kNone || aux == kConvertAsked;
    case AuxForm::Function:
      return isOneOf(aux, MathFunction::Copysign);
    case AuxForm::Bytes:
      return true;
    case AuxForm::Distance:
      return aux != 0;
    case AuxForm::Object:
      return aux == kNone || aux < program.objects.size();
    case AuxForm::Shuffle:
      return isShuffle(aux);
    case AuxForm::Vote:
      return isOneOf(aux, VoteKind::ActiveMask);
    case AuxForm::Ballot:
      return isOneOf(aux, BarrierKind::ClusterWait) && isVote(static_cast<BarrierKind>(aux));
    case AuxForm::Statement:
      return aux < program.statements.size();
    case AuxForm::Loop:
      return aux == kNone || aux < program.loops.size();
    case AuxForm::Call:
      return aux < program.functions.size();
    case AuxForm::Barrier:
      return aux == kNone || isOneOf(aux, BarrierKind::ClusterWait);
    case AuxForm::Action:
      return isOneOf(aux, MemoryBarrierAction::AwaitParity);
    case AuxForm::Scope:
      return isOneOf(aux, FenceScope::AsyncProxy);
    case AuxForm::Assertion:
      return aux == kNone || aux < program.assertions.size();
  }
  return false;
}

bool isOperand(const Program& program, RegisterId reg, OperandForm form, ValueType type) {
  if (reg == kNone) { return form == None || form == MaybeWord || form == MaybeLong || form == MaybeConstant; }
  if (form == None || reg >= program.registers.size()) { return false; }
  const Register& given = program.registers[reg];
  switch (form) {
    case Typed:
      return alike(given.type, type);
    case SameSize:
      return sizeInRegister(given.type) == sizeInRegister(type);
    case Any:
      return true;
    case Integer:
      return !isFloating(given.type);
    case Word:
    case MaybeWord:
      return alike(given.type, ValueType::U32);
    case Long:
    case MaybeLong:
      return alike(given.type, ValueType::U64);
    case MaybeConstant:
      return given.kind == RegisterKind::Constant && given.type == ValueType::I64;
    case None:
      break;
  }
  return false;
}

bool hasValidType(const Instruction& instruction, TypeForm form) {
  const ValueType type = instruction.type;
  switch (form) {
    case TypeForm::Any:
      return true;
    case TypeForm::Integers:
      return !isFloating(type);
    case TypeForm::Added:
      if (type == ValueType::F32 || type == ValueType::F64) { return true; }
      [[fallthrough]];
    case TypeForm::Atomic:
      return type == ValueType::I32 || type == ValueType::U32 || type == ValueType::I64 || type == ValueType::U64;
    case TypeForm::Math: {
      const auto function = static_cast<MathFunction>(instruction.aux);
      const bool forAll =
          function == MathFunction::Abs || function == MathFunction::Min || function == MathFunction::Max;
      return forAll || isFloating(type);
    }
    case TypeForm::Pointer:
      return type == ValueType::Pointer;
  }
  return false;
}

}  // namespace haloscope
