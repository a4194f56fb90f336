#include "lowering/ProgramBuilder.h"

#include <limits>

#include "language/Text.h"
#include "lowering/Folding.h"
#include "lowering/LoweringError.h"

namespace haloscope::lowering {

namespace {

constexpr std::int64_t kMaxFoldedOffset = std::int64_t{1} << 40;

bool isComparison(Opcode op) { return op >= Opcode::Equal && op <= Opcode::GreaterEqual; }

}  // namespace

// --- registers

RegisterId ProgramBuilder::addRegister(Register reg) {
  program_.registers.push_back(reg);
  return static_cast<RegisterId>(program_.registers.size() - 1);
}

Scalar ProgramBuilder::temporary(ValueType type) {
  return {addRegister({.type = type, .kind = RegisterKind::Temporary}), type};
}

Scalar ProgramBuilder::constant(ValueType type, std::uint64_t bits) {
  const std::uint64_t normal = registerBits(type, bits);
  const auto [entry, isNew] = constants_.try_emplace({type, normal}, kNone);
  if (isNew) entry->second = addRegister({.type = type, .kind = RegisterKind::Constant, .bits = normal});
  return {entry->second, type};
}

Scalar ProgramBuilder::builtin(Builtin builtin) {
  const auto [entry, isNew] = builtins_.try_emplace(builtin, kNone);
  if (isNew) {
    entry->second = addRegister({.type = ValueType::U32, .kind = RegisterKind::Builtin, .builtin = builtin});
  }
  return {entry->second, ValueType::U32};
}

VariableId ProgramBuilder::variable(Variable description, ValueType type) {
  description.reg = addRegister({.type = type, .kind = RegisterKind::Variable});
  program_.variables.push_back(std::move(description));
  return static_cast<VariableId>(program_.variables.size() - 1);
}

bool ProgramBuilder::isConstant(Scalar value) const {
  return program_.registers[value.reg].kind == RegisterKind::Constant;
}

bool ProgramBuilder::isImmutable(Scalar value) const {
  const RegisterKind kind = program_.registers[value.reg].kind;
  return kind == RegisterKind::Constant || kind == RegisterKind::Builtin;
}

/// A register whose own type has the value that `value.type` gives it: Convert and Offset use the register's type.
RegisterId ProgramBuilder::exact(Scalar value, const SourceRange& range) {
  const Register& reg = program_.registers[value.reg];
  if (widens(reg.type, value.type)) return value.reg;
  if (reg.kind == RegisterKind::Constant) return constant(value.type, reg.bits).reg;
  return emitValue({.op = Opcode::Convert, .type = value.type, .a = value.reg, .range = range}, value.type).reg;
}

// --- instructions

std::uint32_t ProgramBuilder::emit(Instruction instruction) {
  if (program_.code.size() >= kMaxInstructions) {
    throw LoweringError(instruction.range, tr("the kernel is too large: more than ") +
                                               std::to_string(kMaxInstructions) +
                                               tr(" instructions once its device functions are inlined"));
  }
  program_.code.push_back(instruction);
  return static_cast<std::uint32_t>(program_.code.size() - 1);
}

Scalar ProgramBuilder::emitValue(Instruction instruction, ValueType result) {
  const Scalar value = temporary(result);
  instruction.dst = value.reg;
  emit(instruction);
  return value;
}

/// For integers and addresses only: floating-point operations are counted as written.
Scalar ProgramBuilder::emitOnce(Instruction instruction, ValueType result) {
  const Computation key{instruction.op, instruction.type, instruction.a, instruction.b, instruction.c, instruction.aux};
  const auto [entry, isNew] = computed_.try_emplace(key, kNone);
  if (isNew) entry->second = emitValue(instruction, result).reg;
  return {entry->second, result};
}

/// Values computed in one branch are not available in the other, and are not reused across this.
std::uint32_t ProgramBuilder::emitControl(Instruction instruction) {
  computed_.clear();
  return emit(instruction);
}

Scalar ProgramBuilder::unary(Opcode op, Scalar a, const SourceRange& range) {
  if (isConstant(a)) {
    if (const auto folded = fold(op, a.type, bits(a))) return constant(a.type, *folded);
  }
  const Instruction instruction{.op = op, .type = a.type, .a = a.reg, .range = range};
  return isFloating(a.type) ? emitValue(instruction, a.type) : emitOnce(instruction, a.type);
}

Scalar ProgramBuilder::logicalWithConstant(Opcode op, Scalar constant, Scalar other) {
  const bool decides = (bits(constant) != 0) == (op == Opcode::Or);
  return decides ? constant : other;
}

Scalar ProgramBuilder::binary(Opcode op, Scalar a, Scalar b, const SourceRange& range) {
  const ValueType result = isComparison(op) ? ValueType::Bool : a.type;
  if (isConstant(a) && isConstant(b)) {
    if (const auto folded = fold(op, a.type, bits(a), bits(b))) return constant(result, *folded);
  }
  if (a.type == ValueType::Bool && (op == Opcode::And || op == Opcode::Or)) {
    if (isConstant(a)) return logicalWithConstant(op, a, b);
    if (isConstant(b)) return logicalWithConstant(op, b, a);
  }
  const Instruction instruction{.op = op, .type = a.type, .a = a.reg, .b = b.reg, .range = range};
  return isFloating(a.type) ? emitValue(instruction, result) : emitOnce(instruction, result);
}

Scalar ProgramBuilder::convert(Scalar a, ValueType to, const SourceRange& range, bool asked) {
  if (a.type == to) return a;
  if (isConstant(a)) {
    if (const auto folded = lowering::convert(a.type, to, bits(a))) return constant(to, *folded);
  }
  if (to == ValueType::Bool) return toBool(a, range);
  if (sameBits(a.type, to)) return {a.reg, to};
  Instruction instruction{.op = Opcode::Convert, .type = to, .a = exact(a, range), .range = range};
  if (asked) instruction.aux = kConvertAsked;
  return emitOnce(instruction, to);
}

Scalar ProgramBuilder::toBool(Scalar a, const SourceRange& range) {
  if (program_.registers[a.reg].type == ValueType::Bool) return {a.reg, ValueType::Bool};
  const Scalar zero = constant(a.type, a.type == ValueType::Pointer ? PackedPointer::kNull : std::uint64_t{0});
  return binary(Opcode::NotEqual, a, zero, range);
}

Scalar ProgramBuilder::select(Scalar condition, Scalar a, Scalar b, const SourceRange& range) {
  if (isConstant(condition)) return bits(condition) != 0 ? a : b;
  return emitValue({.op = Opcode::Select, .type = a.type, .a = condition.reg, .b = a.reg, .c = b.reg, .range = range},
                   a.type);
}

Scalar ProgramBuilder::fma(Scalar a, Scalar b, Scalar c, const SourceRange& range) {
  return emitValue({.op = Opcode::Fma, .type = a.type, .a = a.reg, .b = b.reg, .c = c.reg, .range = range}, a.type);
}

Scalar ProgramBuilder::math(MathFunction function, ValueType type, const Parts& arguments, const SourceRange& range) {
  Instruction instruction{.op = Opcode::Math, .type = type, .range = range};
  instruction.aux = static_cast<std::uint32_t>(function);
  if (!arguments.empty()) instruction.a = arguments[0].reg;
  if (arguments.size() > 1) instruction.b = arguments[1].reg;
  if (arguments.size() > 2) instruction.c = arguments[2].reg;
  return emitValue(instruction, type);
}

Scalar ProgramBuilder::reinterpret(Scalar a, ValueType to, const SourceRange& range) {
  if (isConstant(a)) return constant(to, bits(a));
  return emitOnce({.op = Opcode::Reinterpret, .type = to, .a = a.reg, .range = range}, to);
}

Scalar ProgramBuilder::shuffle(ShuffleMode mode, Scalar value, Scalar lane, Scalar mask, const SourceRange& range) {
  return emitValue({.op = Opcode::Shuffle,
                    .type = value.type,
                    .a = value.reg,
                    .b = lane.reg,
                    .c = mask.reg,
                    .aux = mode.pack(),
                    .range = range},
                   value.type);
}

Scalar ProgramBuilder::vote(VoteKind kind, Scalar condition, Scalar mask, const SourceRange& range) {
  const ValueType type = kind == VoteKind::Ballot ? ValueType::U32 : ValueType::I32;
  return emitValue({.op = Opcode::Vote,
                    .type = type,
                    .a = condition.reg,
                    .b = mask.reg,
                    .aux = static_cast<std::uint32_t>(kind),
                    .range = range},
                   type);
}

Scalar ProgramBuilder::activeMask(const SourceRange& range) {
  return emitValue({.op = Opcode::Vote,
                    .type = ValueType::U32,
                    .aux = static_cast<std::uint32_t>(VoteKind::ActiveMask),
                    .range = range},
                   ValueType::U32);
}

void ProgramBuilder::warpBarrier(Scalar mask, const SourceRange& range) {
  emitControl({.op = Opcode::WarpBarrier, .a = mask.reg, .range = range});
}

void ProgramBuilder::fence(FenceScope scope, const SourceRange& range) {
  emitControl({.op = Opcode::Fence, .aux = static_cast<std::uint32_t>(scope), .range = range});
}

void ProgramBuilder::trap(const SourceRange& range) { emitControl({.op = Opcode::Trap, .range = range}); }

void ProgramBuilder::assertThat(Scalar condition, std::string text, const SourceRange& range) {
  if (isConstant(condition) && bits(condition) != 0) return;
  const auto number = static_cast<std::uint32_t>(program_.assertions.size());
  program_.assertions.push_back(std::move(text));
  emitControl({.op = Opcode::Trap, .a = condition.reg, .aux = number, .range = range});
}

Scalar ProgramBuilder::copy(Scalar a, const SourceRange& range) {
  if (isImmutable(a)) return a;
  return emitValue({.op = Opcode::Convert, .type = a.type, .a = exact(a, range), .range = range}, a.type);
}

Scalar ProgramBuilder::offset(Scalar pointer, Scalar index, std::int64_t bytes, const SourceRange& range,
                              std::int64_t extent) {
  bool staysInRow = extent == 0;
  if (isConstant(index)) {
    const auto wide = lowering::convert(index.type, ValueType::I64, bits(index));
    const auto count = static_cast<std::int64_t>(wide.value_or(0));
    if (count == 0) return pointer;
    staysInRow = staysInRow || (count > 0 && count < extent);
    const bool small = bytes <= kMaxFoldedOffset / 1024 && count < 1024 * 1024 && count > -1024 * 1024;
    if (staysInRow && isConstant(pointer) && small && bits(pointer) != PackedPointer::kNull) {
      const std::int64_t moved = PackedPointer::byteOffset(bits(pointer)) + count * bytes;
      if (moved < kMaxFoldedOffset && moved > -kMaxFoldedOffset) {
        return constant(ValueType::Pointer, PackedPointer::pack(PackedPointer::object(bits(pointer)), moved));
      }
    }
  }
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    throw LoweringError(range, tr("unsupported: array row over 4 GB"));
  return emitOnce({.op = Opcode::Offset,
                   .type = ValueType::Pointer,
                   .a = pointer.reg,
                   .b = exact(index, range),
                   .c = staysInRow ? kNone : constant(ValueType::I64, static_cast<std::uint64_t>(extent)).reg,
                   .aux = static_cast<std::uint32_t>(bytes),
                   .range = range},
                  ValueType::Pointer);
}

Scalar ProgramBuilder::difference(Scalar a, Scalar b, std::int64_t bytes, const SourceRange& range) {
  return emitValue({.op = Opcode::PointerDifference,
                    .type = ValueType::I64,
                    .a = a.reg,
                    .b = b.reg,
                    .aux = static_cast<std::uint32_t>(bytes),
                    .range = range},
                   ValueType::I64);
}

Scalar ProgramBuilder::mapShared(Scalar pointer, Scalar rank, const SourceRange& range) {
  return emitOnce(
      {.op = Opcode::MapShared, .type = ValueType::Pointer, .a = pointer.reg, .b = exact(rank, range), .range = range},
      ValueType::Pointer);
}

Scalar ProgramBuilder::mappedRank(Scalar pointer, const SourceRange& range) {
  return emitOnce({.op = Opcode::MappedRank, .type = ValueType::U32, .a = pointer.reg, .range = range}, ValueType::U32);
}

Scalar ProgramBuilder::load(Scalar pointer, ValueType element, const SourceRange& range, VectorPart part,
                            bool isVolatile) {
  return emitValue(
      {.op = Opcode::Load, .type = element, .part = part, .isVolatile = isVolatile, .a = pointer.reg, .range = range},
      element);
}

void ProgramBuilder::store(Scalar pointer, Scalar value, const SourceRange& range, VectorPart part, bool isVolatile) {
  emit({.op = Opcode::Store,
        .type = value.type,
        .part = part,
        .isVolatile = isVolatile,
        .a = pointer.reg,
        .b = value.reg,
        .range = range});
}

Scalar ProgramBuilder::loadToCopy(Scalar pointer, ValueType element, const SourceRange& range, VectorPart part) {
  const Scalar value = load(pointer, element, range, part);
  program_.code.back().ofCopy = true;
  return value;
}

void ProgramBuilder::storeLater(Scalar pointer, Scalar value, const SourceRange& range, VectorPart part) {
  store(pointer, value, range, part);
  program_.code.back().async = true;
}

void ProgramBuilder::copyCommit(std::optional<Scalar> barrier, const SourceRange& range, bool bulk) {
  emitControl({.op = Opcode::CopyCommit, .bulk = bulk, .a = barrier ? barrier->reg : kNone, .range = range});
}

void ProgramBuilder::copyWait(Scalar remaining, const SourceRange& range, bool bulk) {
  emitControl({.op = Opcode::CopyWait, .bulk = bulk, .a = exact(remaining, range), .range = range});
}

Scalar ProgramBuilder::memoryBarrier(MemoryBarrierAction action, Scalar barrier, std::optional<Scalar> b,
                                     std::optional<Scalar> c, const SourceRange& range) {
  const bool asks = action == MemoryBarrierAction::AskPhase || action == MemoryBarrierAction::AskParity;
  const bool arrives = action == MemoryBarrierAction::Arrive || action == MemoryBarrierAction::ArriveDrop;
  Scalar result;
  if (asks || arrives) { result = temporary(asks ? ValueType::Bool : ValueType::U64); }
  emitControl({.op = Opcode::MemoryBarrier,
               .type = result.valid() ? result.type : ValueType::I32,
               .dst = result.valid() ? result.reg : kNone,
               .a = barrier.reg,
               .b = b ? exact(*b, range) : kNone,
               .c = c ? exact(*c, range) : kNone,
               .aux = static_cast<std::uint32_t>(action),
               .range = range});
  return result;
}

Scalar ProgramBuilder::atomic(Opcode op, Scalar pointer, Scalar value, std::optional<Scalar> swapped,
                              const SourceRange& range) {
  return emitValue({.op = op,
                    .type = value.type,
                    .a = pointer.reg,
                    .b = value.reg,
                    .c = swapped ? swapped->reg : kNone,
                    .range = range},
                   value.type);
}

void ProgramBuilder::assign(RegisterId target, Scalar value, const SourceRange& range) {
  computed_.clear();  // some values may be computed from the old one
  // A value just loaded can be loaded into the variable directly: a load respects the active mask too.
  if (!program_.code.empty()) {
    Instruction& last = program_.code.back();
    const bool fresh = last.dst == value.reg && program_.registers[value.reg].kind == RegisterKind::Temporary;
    if (last.op == Opcode::Load && fresh && last.type == program_.registers[target].type) {
      last.dst = target;
      return;
    }
  }
  emit({.op = Opcode::Assign, .type = program_.registers[target].type, .dst = target, .a = value.reg, .range = range});
}

// --- structure

StatementId ProgramBuilder::statement(StatementKind kind, std::uint32_t function, const SourceRange& range) {
  const auto id = static_cast<StatementId>(program_.statements.size());
  program_.statements.push_back({.kind = kind, .range = range, .function = function, .firstInstruction = next()});
  emitControl({.op = Opcode::Statement, .aux = id, .range = range});
  return id;
}

void ProgramBuilder::resume(StatementId statement) {
  emitControl({.op = Opcode::Statement, .aux = statement, .range = program_.statements[statement].range});
}

ProgramBuilder::IfBlock ProgramBuilder::beginIf(Scalar condition, const SourceRange& range) {
  return {.begin = emitControl({.op = Opcode::If, .type = ValueType::Bool, .a = condition.reg, .range = range})};
}

void ProgramBuilder::beginElse(IfBlock& block, const SourceRange& range) {
  block.otherwise = emitControl({.op = Opcode::Else, .range = range});
  program_.code[block.begin].target = block.otherwise;
}

void ProgramBuilder::endIf(const IfBlock& block, const SourceRange& range) {
  const std::uint32_t end = emitControl({.op = Opcode::EndIf, .range = range});
  program_.code[block.otherwise == kNone ? block.begin : block.otherwise].target = end;
}

ProgramBuilder::LoopBlock ProgramBuilder::beginLoop(const SourceRange& range, const SourceRange& head) {
  const auto id = static_cast<std::uint32_t>(program_.loops.size());
  program_.loops.push_back({.range = range, .depth = static_cast<std::uint32_t>(openLoops_.size())});
  openLoops_.push_back(id);
  return {.begin = emitControl({.op = Opcode::Loop, .aux = id, .range = head}), .tests = {}};
}

void ProgramBuilder::loopTest(LoopBlock& block, Scalar condition, const SourceRange& range) {
  if (isConstant(condition) && bits(condition) != 0) return;  // while (true)
  block.tests.push_back(
      emitControl({.op = Opcode::LoopTest, .type = ValueType::Bool, .a = condition.reg, .range = range}));
}

void ProgramBuilder::endLoop(const LoopBlock& block, const SourceRange& head) {
  emitControl({.op = Opcode::LoopBack, .target = block.begin + 1, .range = head});
  openLoops_.pop_back();
  endOnce(block, head);
}

ProgramBuilder::LoopBlock ProgramBuilder::beginOnce(const SourceRange& head) {
  return {.begin = emitControl({.op = Opcode::Loop, .range = head}), .tests = {}};
}

void ProgramBuilder::endOnce(const LoopBlock& block, const SourceRange& head) {
  const std::uint32_t end = emitControl({.op = Opcode::EndLoop, .range = head});
  for (const std::uint32_t test : block.tests) { program_.code[test].target = end; }
}

LoopInfo& ProgramBuilder::info(const LoopBlock& block) { return program_.loops[program_.code[block.begin].aux]; }

void ProgramBuilder::barrier(const SourceRange& range, BarrierKind kind, std::optional<Scalar> vote) {
  for (const std::uint32_t loop : openLoops_) { program_.loops[loop].containsBarrier = true; }
  Instruction barrier{.op = Opcode::Barrier, .range = range};
  if (kind != BarrierKind::Block) { barrier.aux = static_cast<std::uint32_t>(kind); }
  if (vote) { barrier.a = vote->reg; }
  emitControl(barrier);
}

Scalar ProgramBuilder::barrierVote(BarrierKind kind, const SourceRange& range) {
  return emitValue(
      {.op = Opcode::BarrierVote, .type = ValueType::I32, .aux = static_cast<std::uint32_t>(kind), .range = range},
      ValueType::I32);
}

void ProgramBuilder::call(std::uint32_t function, const SourceRange& range) {
  emitControl({.op = Opcode::Call, .aux = function, .range = range});
}

void ProgramBuilder::control(Opcode op, const SourceRange& range) { emitControl({.op = op, .range = range}); }

}  // namespace haloscope::lowering
