#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Bulk copies (TMA) and the barriers in shared memory (mbarrier) that their bytes arrive at.

namespace haloscope::lowering {

namespace {

constexpr std::uint64_t kBulkUnit = 16;  ///< bytes

// An address in shared memory, as PTX takes it, is a number of 32 bits: here that of the array, above its bytes.
constexpr int kArrayShift = 18;  ///< more bytes than any block's shared memory has
constexpr std::uint64_t kByteMask = (std::uint64_t{1} << kArrayShift) - 1;

struct BarrierFunction {
  std::string_view name;
  MemoryBarrierAction action;
  ValueType operand;  ///< type of b; I32: it has none
  bool bytes;         ///< the last argument is c
};
constexpr std::array kBarrierFunctions{
    BarrierFunction{"haloscope_barrier_init", MemoryBarrierAction::Initialise, ValueType::U32, false},
    BarrierFunction{"haloscope_barrier_inval", MemoryBarrierAction::Invalidate, ValueType::I32, false},
    BarrierFunction{"haloscope_barrier_arrive", MemoryBarrierAction::Arrive, ValueType::U32, true},
    BarrierFunction{"haloscope_barrier_arrive_drop", MemoryBarrierAction::ArriveDrop, ValueType::U32, false},
    BarrierFunction{"haloscope_barrier_expect", MemoryBarrierAction::Expect, ValueType::I32, true},
    BarrierFunction{"haloscope_barrier_asks_phase", MemoryBarrierAction::AskPhase, ValueType::U64, false},
    BarrierFunction{"haloscope_barrier_asks_parity", MemoryBarrierAction::AskParity, ValueType::U32, false},
    BarrierFunction{"haloscope_barrier_await_phase", MemoryBarrierAction::AwaitPhase, ValueType::U64, false},
    BarrierFunction{"haloscope_barrier_await_parity", MemoryBarrierAction::AwaitParity, ValueType::U32, false},
};

}  // namespace

std::optional<Parts> KernelLowering::bulkFunction(const clang::CallExpr* expression, const std::string& name) {
  const SourceRange where = range(expression);
  if (name == "haloscope_bulk_copy" || name == "haloscope_bulk_store") {
    const Parts operands = scalarArguments(expression);
    const auto barrier = operands.size() > 3 ? std::optional(operands[3]) : std::nullopt;
    bulkCopy(operands.at(0), operands.at(1), operands.at(2), barrier, where);
    return Parts{};
  }
  if (name == "haloscope_bulk_commit") {
    builder_.copyCommit({}, where, /*bulk=*/true);
    return Parts{};
  }
  if (name == "haloscope_bulk_wait") {
    builder_.copyWait(builder_.convert(scalar(expression->getArg(0)), ValueType::U32, where), where, /*bulk=*/true);
    return Parts{};
  }
  if (name == "haloscope_element_bytes") {
    const ValueType element = elementOf(scalar(expression->getArg(0))).value_or(ValueType::U32);
    return Parts{builder_.constant(ValueType::U32, static_cast<std::uint64_t>(sizeInMemory(element)))};
  }
  if (name == "haloscope_copy_element") {
    const Parts operands = scalarArguments(expression);
    const ValueType element = elementOf(operands.at(0)).value_or(ValueType::U32);
    const auto bytes = static_cast<std::uint64_t>(sizeInMemory(element));
    const Scalar inside = builder_.convert(operands.at(2), ValueType::U64, where);
    const Scalar copied = builder_.binary(Opcode::Mul, inside, builder_.constant(ValueType::U64, bytes), where);
    copyOnce(operands.at(0), operands.at(1), element, bytes, copied, {where, where, where});
    return Parts{};
  }
  if (name == "haloscope_copy_vector") {
    const Parts operands = scalarArguments(expression);
    const ValueType element = elementOf(operands.at(0)).value_or(ValueType::U32);
    const Scalar copied = builder_.convert(operands.at(2), ValueType::U64, where);
    copyOnce(operands.at(0), operands.at(1), element, kBulkUnit, copied, {where, where, where});
    return Parts{};
  }
  if (name == "haloscope_fence_proxy_async") {
    builder_.fence(FenceScope::AsyncProxy, where);
    return Parts{};
  }
  if (name == "__cvta_generic_to_shared") return Parts{sharedAddress(scalar(expression->getArg(0)), where)};
  if (name == "__cvta_shared_to_generic") return Parts{sharedPointer(scalar(expression->getArg(0)), where)};
  const auto* const found = std::ranges::find(kBarrierFunctions, name, &BarrierFunction::name);
  if (found == kBarrierFunctions.end()) return std::nullopt;
  const Parts operands = scalarArguments(expression);
  const bool hasOperand = found->operand != ValueType::I32;
  const auto operand =
      hasOperand ? std::optional(builder_.convert(operands.at(1), found->operand, where)) : std::nullopt;
  const auto bytes =
      found->bytes ? std::optional(builder_.convert(operands.back(), ValueType::U32, where)) : std::nullopt;
  const Scalar result = builder_.memoryBarrier(found->action, operands.at(0), operand, bytes, where);
  return result.valid() ? Parts{result} : Parts{};
}

const Instruction* KernelLowering::computedBy(RegisterId reg) const {
  const std::vector<Instruction>& code = const_cast<ProgramBuilder&>(builder_).program().code;
  const auto last = std::find_if(code.rbegin(), code.rend(), [reg](const Instruction& one) { return one.dst == reg; });
  return last == code.rend() ? nullptr : &*last;
}

std::optional<ValueType> KernelLowering::elementOf(Scalar pointer) const {
  const Program& program = const_cast<ProgramBuilder&>(builder_).program();
  RegisterId reg = pointer.reg;
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    const Register& value = program.registers[reg];
    ObjectId object = kNone;
    if (value.kind == RegisterKind::Constant) object = PackedPointer::object(value.bits);
    for (const Parameter& parameter : program.parameters) {
      if (parameter.object != kNone && program.variables[parameter.variable].reg == reg) object = parameter.object;
    }
    if (object < program.objects.size()) {
      const ValueType element = program.objects[object].element;
      return element == ValueType::Pointer ? ValueType::U64 : element;
    }
    const Instruction* const from = computedBy(reg);
    if (from == nullptr) return std::nullopt;
    const bool follows = from->op == Opcode::Offset || from->op == Opcode::Assign || from->op == Opcode::Convert;
    if (!follows && from->op != Opcode::Select) return std::nullopt;
    reg = follows ? from->a : from->b;
  }
  return std::nullopt;
}

void KernelLowering::bulkPart(Scalar to, Scalar from, const SourceRange& where) {
  std::optional<ValueType> element = elementOf(from);
  if (!element) element = elementOf(to);
  copyOnce(to, from, element.value_or(ValueType::U32), kBulkUnit, builder_.constant(ValueType::U64, kBulkUnit),
           {where, where, where});
}

void KernelLowering::bulkCopy(Scalar to, Scalar from, Scalar bytes, std::optional<Scalar> barrier,
                              const SourceRange& where) {
  const std::size_t first = builder_.program().code.size();
  const Scalar size = builder_.convert(bytes, ValueType::U32, where);
  const auto number = [&](std::uint64_t value) { return builder_.constant(ValueType::U32, value); };
  const Scalar rest = builder_.binary(Opcode::Rem, size, number(kBulkUnit), where);
  builder_.assertThat(builder_.binary(Opcode::Equal, rest, number(0), where), "bytes of the bulk copy % 16 == 0",
                      where);
  const Scalar at = builder_.temporary(ValueType::U32);
  builder_.assign(at.reg, number(0), where);
  ProgramBuilder::LoopBlock loop = builder_.beginLoop(where, where);
  builder_.loopTest(loop, builder_.binary(Opcode::Less, at, size, where), where);
  bulkPart(builder_.offset(to, at, 1, where), builder_.offset(from, at, 1, where), where);
  builder_.control(Opcode::LoopNext, where);
  builder_.assign(at.reg, builder_.binary(Opcode::Add, at, number(kBulkUnit), where), where);
  builder_.endLoop(loop, where);
  if (barrier) builder_.copyCommit(*barrier, where);
  markBulk(first);
}

Scalar KernelLowering::sharedAddress(Scalar pointer, const SourceRange& where) {
  const Scalar kept = builder_.copy(pointer, where);
  const auto number = [&](std::uint64_t value) { return builder_.constant(ValueType::U64, value); };
  const Scalar null = builder_.constant(ValueType::Pointer, PackedPointer::kNull);
  const Scalar bits = builder_.convert(builder_.difference(kept, null, 1, where), ValueType::U64, where);
  const Scalar array =
      builder_.binary(Opcode::Shl, builder_.binary(Opcode::Shr, bits, number(PackedPointer::kObjectShift), where),
                      number(kArrayShift), where);
  const Scalar address =
      builder_.binary(Opcode::Or, array, builder_.binary(Opcode::And, bits, number(kByteMask), where), where);
  sharedAddresses_[address.reg] = kept;
  return address;
}

std::optional<Scalar> KernelLowering::knownSharedPointer(Scalar address, const SourceRange& where) {
  if (const auto known = sharedAddresses_.find(address.reg); known != sharedAddresses_.end()) return known->second;
  const Program& program = builder_.program();
  if (program.registers[address.reg].kind != RegisterKind::Temporary) return std::nullopt;
  const Instruction* const from = computedBy(address.reg);
  if (from == nullptr) return std::nullopt;
  const Instruction made = *from;  // what follows adds to the code
  const auto operand = [&](RegisterId reg) { return Scalar{reg, program.registers[reg].type}; };
  if (made.op == Opcode::Convert) return knownSharedPointer(operand(made.a), where);
  if (made.op != Opcode::Add) return std::nullopt;
  for (const auto& [base, added] : {std::pair(made.a, made.b), std::pair(made.b, made.a)}) {
    if (const auto pointer = knownSharedPointer(operand(base), where)) {
      return builder_.offset(*pointer, operand(added), 1, where);
    }
  }
  return std::nullopt;
}

Scalar KernelLowering::sharedPointer(Scalar address, const SourceRange& where) {
  if (address.type == ValueType::Pointer) return address;
  if (const auto known = knownSharedPointer(address, where)) return *known;
  const auto number = [&](std::uint64_t value) { return builder_.constant(ValueType::U64, value); };
  const Scalar wide = builder_.convert(address, ValueType::U64, where);
  const Scalar array = builder_.binary(Opcode::Shl, builder_.binary(Opcode::Shr, wide, number(kArrayShift), where),
                                       number(PackedPointer::kObjectShift), where);
  const Scalar bytes = builder_.binary(Opcode::Add, builder_.binary(Opcode::And, wide, number(kByteMask), where),
                                       number(PackedPointer::kBias), where);
  const Scalar fromNull = builder_.binary(Opcode::Add, array, bytes, where);
  return builder_.offset(builder_.constant(ValueType::Pointer, PackedPointer::kNull), fromNull, 1, where);
}

}  // namespace haloscope::lowering
