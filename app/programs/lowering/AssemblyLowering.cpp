#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Inline assembly: the instructions of PTX that kernels use for bulk copies, with their barriers and fences. Others are
// refused by name.

namespace haloscope::lowering {

namespace {

[[noreturn]] void refuseAssembly(const PtxInstruction& instruction, const SourceRange& where) {
  throw LoweringError(where, trf("unsupported: inline assembly '{}'", instruction.name));
}

[[noreturn]] void refuseSpecialRegister(const PtxInstruction& instruction, const std::string& name,
                                        const SourceRange& where) {
  throw LoweringError(
      where, trf("unsupported: inline assembly '{}' of %{}, which depends on the GPU", instruction.name, name));
}

/// "laneid" of an operand "%laneid", which GNU's syntax writes with two signs; empty: another kind of operand.
std::string specialRegisterOf(const PtxInstruction& instruction, std::size_t index) {
  if (index >= instruction.operands.size()) return {};
  std::string_view text = instruction.operands[index];
  if (text == "WARP_SZ") return std::string(text);
  while (text.starts_with('%')) { text.remove_prefix(1); }
  const bool named = text.size() < instruction.operands[index].size() && !text.empty() &&
                     std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  return named ? std::string(text) : std::string();
}

bool asksBarrier(const PtxInstruction& instruction) {
  return instruction.is("mbarrier.try_wait") || instruction.is("mbarrier.test_wait");
}

}  // namespace

/// The values of one asm statement: its operands, and registers of its own.
class KernelLowering::AssemblyValues {
 public:
  AssemblyValues(ProgramBuilder& builder, const SourceRange& at) : where(at), builder_(builder) {}

  /// The outputs come first; what they have been set to is their value.
  void addOperand(std::string name, Scalar value) {
    names_.push_back(std::move(name));
    operands_.push_back(value);
  }
  [[nodiscard]] Scalar operand(std::size_t number) const { return operands_[number]; }

  /// The operand of an instruction with this index; an address without its brackets.
  [[nodiscard]] Scalar of(const PtxInstruction& instruction, std::size_t index) const {
    std::string text = textOf(instruction, index);
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    return named(text);
  }
  [[nodiscard]] Scalar named(const std::string& text) const {
    if (const auto known = registers_.find(text); known != registers_.end()) return known->second;
    if (text.starts_with('%')) {
      const Scalar value = operands_[numberOf(text)];
      if (value.valid()) return value;
      throw LoweringError(where, trf("inline assembly: '{}' has no value yet", text));
    }
    std::uint64_t number = 0;
    const bool hexadecimal = text.starts_with("0x");
    const char* const end = text.data() + text.size() - (text.ends_with('U') ? 1 : 0);
    const auto [last, error] = std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, number, hexadecimal ? 16 : 10);
    if (error == std::errc() && last == end) return builder_.constant(ValueType::U32, number & 0xffffffffU);
    throw LoweringError(where, trf("unsupported: inline assembly with the operand '{}'", text));
  }
  /// Sets the first operand of an instruction.
  void set(const PtxInstruction& instruction, Scalar result) {
    const std::string& name = textOf(instruction, 0);
    if (name.starts_with('%')) {
      operands_[numberOf(name)] = result;
    } else if (name != "_") {
      registers_[name] = result;
    }
  }

  const SourceRange where;

 private:
  [[nodiscard]] const std::string& textOf(const PtxInstruction& instruction, std::size_t index) const {
    if (index < instruction.operands.size()) return instruction.operands[index];
    throw LoweringError(where, trf("inline assembly: '{}' has too few operands", instruction.name));
  }
  [[nodiscard]] std::size_t numberOf(const std::string& text) const {
    std::size_t number = names_.size();
    if (text.starts_with("%[") && text.ends_with(']')) {
      const auto found = std::ranges::find(names_, text.substr(2, text.size() - 3));
      number = static_cast<std::size_t>(found - names_.begin());
    } else {
      std::from_chars(text.data() + 1, text.data() + text.size(), number);
    }
    if (number < names_.size()) return number;
    throw LoweringError(where, trf("inline assembly: '{}' is not an operand of the statement", text));
  }

  ProgramBuilder& builder_;
  std::vector<std::string> names_;  ///< of the operands: [name]
  Parts operands_;
  std::map<std::string, Scalar> registers_;
};

void KernelLowering::assembly(const clang::GCCAsmStmt* node) {
  AssemblyValues values(builder_, range(node));
  const SourceRange& where = values.where;
  begin(StatementKind::Expression, where);
  for (unsigned i = 0; i < node->getNumOutputs(); ++i) {
    if (node->isOutputPlusConstraint(i))
      throw LoweringError(where, tr("unsupported: inline assembly with a \"+\" operand"));
    values.addOperand(node->getOutputName(i).str(), {});
  }
  for (unsigned i = 0; i < node->getNumInputs(); ++i) {
    values.addOperand(node->getInputName(i).str(), builder_.copy(scalar(node->getInputExpr(i)), where));
  }
  std::vector<PtxInstruction> all = ptxInstructions(node->getAsmString()->getString().str());
  if (std::ranges::any_of(all, [](const PtxInstruction& one) { return one.is("bra"); })) {
    // The one loop that such texts have: it asks a barrier until the phase is over.
    for (const PtxInstruction& one : all) {
      if (!one.is("bra") && !asksBarrier(one) && !one.is("nanosleep")) refuseAssembly(one, where);
    }
    std::erase_if(all, [](const PtxInstruction& one) { return !asksBarrier(one); });
    if (all.size() != 1) throw LoweringError(where, tr("unsupported: inline assembly with branches"));
    const std::string_view asks = "mbarrier.test_wait";
    if (all.front().is(std::string(asks))) all.front().name.replace(0, asks.size(), "mbarrier.try_wait");
    all.front().predicate.clear();
  }
  for (const PtxInstruction& one : all) {
    if (one.predicate.empty()) {
      assemblyInstruction(one, values);
      continue;
    }
    const bool negated = one.predicate.starts_with('!');
    Scalar condition = builder_.toBool(values.named(one.predicate.substr(negated ? 1 : 0)), where);
    if (negated) condition = builder_.unary(Opcode::LogicalNot, condition, where);
    const ProgramBuilder::IfBlock block = builder_.beginIf(condition, where);
    assemblyInstruction(one, values);
    builder_.endIf(block, where);
  }
  for (unsigned i = 0; i < node->getNumOutputs(); ++i) {
    const clang::Expr* output = node->getOutputExpr(i);
    if (!values.operand(i).valid()) {
      throw LoweringError(where, tr("unsupported: inline assembly that does not write its output"));
    }
    const ValueType type = scalarType(output->getType(), output->getSourceRange());
    write(place(output), output->getType(), {builder_.convert(values.operand(i), type, where)}, output);
  }
}

void KernelLowering::assemblyInstruction(const PtxInstruction& instruction, AssemblyValues& values) {
  const SourceRange& where = values.where;
  if (instruction.name == "trap") {
    builder_.trap(where);
  } else if (instruction.is("fence.proxy.async")) {
    builder_.fence(FenceScope::AsyncProxy, where);
  } else if (instruction.is("fence.mbarrier_init")) {
    return;  // orders mbarrier.init, which takes effect at once here
  } else if (instruction.is("selp")) {
    const Scalar condition = builder_.toBool(values.of(instruction, 3), where);
    values.set(instruction, builder_.select(condition, values.of(instruction, 1), values.of(instruction, 2), where));
  } else if (instruction.is("setp.ne") || instruction.is("setp.eq")) {
    const Scalar a = values.of(instruction, 1);
    const Scalar b = builder_.convert(values.of(instruction, 2), a.type, where);
    values.set(instruction, builder_.binary(instruction.is("setp.ne") ? Opcode::NotEqual : Opcode::Equal, a, b, where));
  } else if (instruction.is("cvta.to.shared")) {
    values.set(instruction, sharedAddress(values.of(instruction, 1), where));
  } else if (instruction.is("mov")) {
    values.set(instruction, moved(instruction, values));
  } else if (instruction.is("cvt.u32.u64")) {
    values.set(instruction, builder_.convert(values.of(instruction, 1), ValueType::U32, where));
  } else if (!barrierInstruction(instruction, values) && !copyInstruction(instruction, values)) {
    refuseAssembly(instruction, where);
  }
}

/// What `mov` copies: a value as it is, or what a thread knows of itself.
Scalar KernelLowering::moved(const PtxInstruction& instruction, const AssemblyValues& values) {
  const SourceRange& where = values.where;
  if (const std::string name = specialRegisterOf(instruction, 1); !name.empty()) {
    const std::optional<Scalar> value = specialRegister(name, where);
    if (!value) refuseSpecialRegister(instruction, name, where);
    return *value;
  }
  const Scalar value = values.of(instruction, 1);
  // Bits of a float as those of a number would be another value.
  const bool bits = instruction.has("b32") || instruction.has("b64") || instruction.has("b16");
  if ((bits && isFloating(value.type)) || instruction.operands.size() != 2) refuseAssembly(instruction, where);
  return value;
}

std::optional<Scalar> KernelLowering::specialRegister(const std::string& name, const SourceRange& where) {
  const auto number = [&](std::uint64_t value) { return builder_.constant(ValueType::U32, value); };
  const auto compute = [&](Opcode op, Scalar a, Scalar b) { return builder_.binary(op, a, b, where); };
  constexpr std::array<std::pair<std::string_view, Builtin>, 4> kVectors{{{"tid.", Builtin::ThreadIdxX},
                                                                          {"ctaid.", Builtin::BlockIdxX},
                                                                          {"ntid.", Builtin::BlockDimX},
                                                                          {"nctaid.", Builtin::GridDimX}}};
  for (const auto& [begin, first] : kVectors) {
    if (!name.starts_with(begin) || name.size() != begin.size() + 1) continue;
    const int axis = name.back() - 'x';
    if (axis >= 0 && axis < 3) return builder_.builtin(static_cast<Builtin>(static_cast<int>(first) + axis));
  }
  if (name == "WARP_SZ") return number(kWarpSize);
  const Scalar width = builder_.builtin(Builtin::BlockDimX);
  const auto thread = [&] {
    const Scalar rows =
        compute(Opcode::Add, builder_.builtin(Builtin::ThreadIdxY),
                compute(Opcode::Mul, builder_.builtin(Builtin::ThreadIdxZ), builder_.builtin(Builtin::BlockDimY)));
    return compute(Opcode::Add, builder_.builtin(Builtin::ThreadIdxX), compute(Opcode::Mul, rows, width));
  };
  // PTX does not promise that warps are numbered so; on all GPUs so far they are.
  if (name == "warpid") return compute(Opcode::Div, thread(), number(kWarpSize));
  const bool mask = name.starts_with("lanemask_");
  if (name != "laneid" && !mask) return std::nullopt;
  const Scalar lane = compute(Opcode::And, thread(), number(kWarpSize - 1));
  if (!mask) return lane;
  const Scalar own = compute(Opcode::Shl, number(1), lane);
  const Scalar less = compute(Opcode::Sub, own, number(1));
  const auto inverse = [&](Scalar bits) { return compute(Opcode::Xor, bits, number(0xffffffffU)); };
  if (name == "lanemask_eq") return own;
  if (name == "lanemask_lt") return less;
  if (name == "lanemask_le") return compute(Opcode::Or, less, own);
  if (name == "lanemask_ge") return inverse(less);
  if (name == "lanemask_gt") return inverse(compute(Opcode::Or, less, own));
  return std::nullopt;
}

bool KernelLowering::barrierInstruction(const PtxInstruction& instruction, AssemblyValues& values) {
  const SourceRange& where = values.where;
  const auto number = [&](std::size_t index, ValueType type = ValueType::U32) {
    return builder_.convert(values.of(instruction, index), type, where);
  };
  const auto act = [&](MemoryBarrierAction action, std::size_t address, std::optional<Scalar> b,
                       std::optional<Scalar> c) {
    return builder_.memoryBarrier(action, sharedPointer(values.of(instruction, address), where), b, c, where);
  };
  const Scalar one = builder_.constant(ValueType::U32, 1);
  if (instruction.is("mbarrier.init")) {
    act(MemoryBarrierAction::Initialise, 0, number(1), {});
  } else if (instruction.is("mbarrier.inval")) {
    act(MemoryBarrierAction::Invalidate, 0, {}, {});
  } else if (instruction.is("mbarrier.expect_tx")) {
    act(MemoryBarrierAction::Expect, 0, {}, number(1));
  } else if (instruction.is("mbarrier.arrive.expect_tx")) {
    values.set(instruction, act(MemoryBarrierAction::Arrive, 1, one, number(2)));
  } else if (instruction.is("mbarrier.arrive") || instruction.is("mbarrier.arrive_drop")) {
    if (instruction.has("expect_tx") || instruction.has("noComplete")) return false;
    const bool drops = instruction.is("mbarrier.arrive_drop");
    const Scalar arrivals = instruction.operands.size() > 2 ? number(2) : one;
    values.set(instruction,
               act(drops ? MemoryBarrierAction::ArriveDrop : MemoryBarrierAction::Arrive, 1, arrivals, {}));
  } else if (instruction.is("mbarrier.try_wait")) {  // PTX lets it wait for as long as it likes
    const bool parity = instruction.has("parity");
    act(parity ? MemoryBarrierAction::AwaitParity : MemoryBarrierAction::AwaitPhase, 1,
        number(2, parity ? ValueType::U32 : ValueType::U64), {});
    values.set(instruction, builder_.constant(ValueType::Bool, 1));
  } else if (instruction.is("mbarrier.test_wait")) {
    const bool parity = instruction.has("parity");
    values.set(instruction, act(parity ? MemoryBarrierAction::AskParity : MemoryBarrierAction::AskPhase, 1,
                                number(2, parity ? ValueType::U32 : ValueType::U64), {}));
  } else {
    return false;
  }
  return true;
}

bool KernelLowering::copyInstruction(const PtxInstruction& instruction, AssemblyValues& values) {
  const SourceRange& where = values.where;
  const auto shared = [&](std::size_t index) { return sharedPointer(values.of(instruction, index), where); };
  const auto global = [&](std::size_t index) {
    const Scalar pointer = values.of(instruction, index);
    if (pointer.type == ValueType::Pointer) return pointer;
    throw LoweringError(where, tr("unsupported: inline assembly with a number as the address of global memory"));
  };
  const bool known = !instruction.has("multicast::cluster") && !instruction.has("tensor");
  const bool toShared = instruction.is("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes") ||
                        instruction.is("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes");
  if (instruction.is("cp.async.bulk.commit_group")) {
    builder_.copyCommit({}, where, /*bulk=*/true);
  } else if (instruction.is("cp.async.bulk.wait_group")) {
    const Scalar remaining = builder_.convert(values.of(instruction, 0), ValueType::U32, where);
    builder_.copyWait(remaining, where, /*bulk=*/true);
  } else if (known && toShared) {
    bulkCopy(shared(0), global(1), values.of(instruction, 2), shared(3), where);
  } else if (known && instruction.is("cp.async.bulk.global.shared::cta.bulk_group")) {
    bulkCopy(global(0), shared(1), values.of(instruction, 2), {}, where);
  } else {
    return false;
  }
  return true;
}

}  // namespace haloscope::lowering
