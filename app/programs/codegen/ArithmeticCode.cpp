#include "codegen/KernelBuilder.h"

#include <algorithm>
#include <limits>

#include <llvm/IR/Intrinsics.h>

// Integers wrap, floating-point operations are rounded each on its own, as the emulator's lane operations do it; only
// which NaN comes of two is left open. What is not here is left to these: see KernelBuilder::emitStep().

namespace haloscope::codegen {
namespace {

bool isWord(ValueType type) { return sizeInMemory(type) >= 4 && type != ValueType::Pointer; }

bool isWhole(ValueType type) { return isWord(type) && !isFloating(type); }

}  // namespace

llvm::Value* KernelBuilder::arithmetic(std::uint32_t at, const std::function<llvm::Value*(RegisterId)>& operand) {
  const Instruction& instruction = program_.code[at];
  const ValueType type = instruction.type;
  const bool floating = type == ValueType::F32 || type == ValueType::F64;
  const auto counted = [&](RegisterId reg) { return this->counted(type, operand(reg)); };
  const auto a = [&] { return counted(instruction.a); };
  const auto b = [&] { return counted(instruction.b); };
  switch (instruction.op) {
    case Opcode::Assign:
      return a();
    case Opcode::Add:
      if (floating) { return ir_.CreateFAdd(a(), b()); }
      return isWhole(type) ? ir_.CreateAdd(a(), b()) : nullptr;
    case Opcode::Sub:
      if (floating) { return ir_.CreateFSub(a(), b()); }
      return isWhole(type) ? ir_.CreateSub(a(), b()) : nullptr;
    case Opcode::Mul:
      if (floating) { return ir_.CreateFMul(a(), b()); }
      return isWhole(type) ? ir_.CreateMul(a(), b()) : nullptr;
    case Opcode::Div:
      if (floating) { return ir_.CreateFDiv(a(), b()); }
      return divided(at, counted);
    case Opcode::Rem:
      return divided(at, counted);
    case Opcode::And:
      return ir_.CreateAnd(a(), b());
    case Opcode::Or:
      return ir_.CreateOr(a(), b());
    case Opcode::Xor:
      return ir_.CreateXor(a(), b());
    case Opcode::Shl:
    case Opcode::Shr:
      return isWhole(type) ? shifted(instruction, a(), b()) : nullptr;
    case Opcode::Equal:
    case Opcode::NotEqual:
    case Opcode::Less:
    case Opcode::LessEqual:
    case Opcode::Greater:
    case Opcode::GreaterEqual:
      return compared(instruction, a(), b());
    case Opcode::Negate:
      if (floating) { return ir_.CreateFNeg(a()); }
      return isWhole(type) ? ir_.CreateNeg(a()) : nullptr;
    case Opcode::BitNot:
      return isWhole(type) ? ir_.CreateNot(a()) : nullptr;
    case Opcode::LogicalNot:
      return isFloating(type) ? nullptr : ir_.CreateIsNull(operand(instruction.a));
    case Opcode::Convert:
      return converted(typeOf(instruction.a), type, operand(instruction.a));
    case Opcode::Reinterpret: {
      llvm::Type* const to = scalarType(type);
      if (typeOf(instruction.a) == ValueType::F16 || type == ValueType::F16 || type == ValueType::Bool) {
        return nullptr;
      }
      llvm::Value* const from = a();
      return ir_.CreateBitCast(from, from->getType()->isVectorTy() ? llvm::FixedVectorType::get(to, lanes_) : to);
    }
    case Opcode::Select: {
      llvm::Value* const condition = operand(instruction.a);
      llvm::Value* const isTrue =
          condition->getType()->getScalarType()->isIntegerTy(1) ? condition : ir_.CreateIsNotNull(condition);
      return ir_.CreateSelect(isTrue, b(), counted(instruction.c));
    }
    case Opcode::Fma: {
      if (!floating || !processor_.fma) { return nullptr; }
      llvm::Value* const first = a();
      return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {first->getType()}, {first, b(), operand(instruction.c)});
    }
    default:
      return nullptr;
  }
}

/// A condition counts as 0 or 1 where a number is asked for.
llvm::Value* KernelBuilder::counted(ValueType type, llvm::Value* value) {
  const bool isCondition = value->getType()->getScalarType()->isIntegerTy(1);
  if (!isCondition || type == ValueType::Bool || sizeInRegister(type) == 8) { return value; }
  llvm::Type* const word = ir_.getInt32Ty();
  return ir_.CreateZExt(value, value->getType()->isVectorTy() ? llvm::FixedVectorType::get(word, lanes_) : word);
}

/// Of integers, where the divisor is the same for all lanes; a division by zero yields all-one bits.
llvm::Value* KernelBuilder::divided(std::uint32_t at, const std::function<llvm::Value*(RegisterId)>& operand) {
  const Instruction& instruction = program_.code[at];
  if (!isWhole(instruction.type)) { return nullptr; }
  const Shape& divisor = shapes_.shapeRead(at, instruction.b);
  if (!divisor.uniform()) { return nullptr; }
  llvm::Value* const by = counted(instruction.type, read(at, instruction.b).base);
  llvm::Value* const a = operand(instruction.a);
  const bool lanes = a->getType()->isVectorTy();
  if (lanes && !divisor.known()) { return nullptr; }
  llvm::Type* const type = by->getType();
  llvm::Constant* const ones = llvm::Constant::getAllOnesValue(type);
  llvm::Value* const isZero = ir_.CreateIsNull(by);
  llvm::Value* safe = ir_.CreateSelect(isZero, llvm::ConstantInt::get(type, 1), by);
  llvm::Value* quotient = nullptr;
  const auto all = [&](llvm::Value* scalar) { return lanes ? splat(scalar) : scalar; };
  if (isSigned(instruction.type)) {
    // The least number divided by -1 wraps; the processor would trap.
    llvm::Value* const isMinusOne = ir_.CreateICmpEQ(by, ones);
    safe = ir_.CreateSelect(isMinusOne, llvm::ConstantInt::get(type, 1), safe);
    quotient = ir_.CreateSDiv(a, all(safe));
    quotient = ir_.CreateSelect(isMinusOne, ir_.CreateNeg(a), quotient);
  } else {
    quotient = ir_.CreateUDiv(a, all(safe));
  }
  if (instruction.op == Opcode::Div) { return ir_.CreateSelect(isZero, all(ones), quotient); }
  llvm::Value* const rest = ir_.CreateSub(a, ir_.CreateMul(quotient, all(by)));
  return ir_.CreateSelect(isZero, all(ones), rest);
}

/// Counts of at least the width shift out all bits.
llvm::Value* KernelBuilder::shifted(const Instruction& instruction, llvm::Value* a, llvm::Value* count) {
  llvm::Type* const type = a->getType();
  const unsigned width = type->getScalarSizeInBits();
  llvm::Type* const word = count->getType()->isVectorTy() ? llvm::FixedVectorType::get(ir_.getInt32Ty(), lanes_)
                                                          : static_cast<llvm::Type*>(ir_.getInt32Ty());
  llvm::Value* const low = ir_.CreateZExtOrTrunc(count, word);
  llvm::Value* const fits = ir_.CreateICmpULT(low, llvm::ConstantInt::get(word, width));
  const bool left = instruction.op == Opcode::Shl;
  const bool arithmetic = !left && isSigned(instruction.type);
  llvm::Value* const most = llvm::ConstantInt::get(word, width - 1);
  llvm::Value* const masked = arithmetic ? ir_.CreateSelect(fits, low, most) : ir_.CreateAnd(low, most);
  llvm::Value* const by = ir_.CreateZExtOrTrunc(masked, type);
  if (arithmetic) { return ir_.CreateAShr(a, by); }
  llvm::Value* const moved = left ? ir_.CreateShl(a, by) : ir_.CreateLShr(a, by);
  return ir_.CreateSelect(fits, moved, llvm::Constant::getNullValue(type));
}

llvm::Value* KernelBuilder::compared(const Instruction& instruction, llvm::Value* a, llvm::Value* b) {
  using Predicate = llvm::CmpInst::Predicate;
  const bool floating = isFloating(instruction.type), isSignedType = isSigned(instruction.type);
  const auto pick = [&](Predicate real, Predicate ofSigned, Predicate ofUnsigned) {
    if (floating) { return ir_.CreateFCmp(real, a, b); }
    return ir_.CreateICmp(isSignedType ? ofSigned : ofUnsigned, a, b);
  };
  switch (instruction.op) {
    case Opcode::Equal:
      return pick(Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ);
    case Opcode::NotEqual:
      return pick(Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE);
    case Opcode::Less:
      return pick(Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT);
    case Opcode::LessEqual:
      return pick(Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE);
    case Opcode::Greater:
      return pick(Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT);
    default:
      return pick(Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE);
  }
}

llvm::Value* KernelBuilder::converted(ValueType from, ValueType to, llvm::Value* a) {
  if (from == ValueType::F16 || to == ValueType::F16) { return nullptr; }
  llvm::Type* const scalar = scalarType(to);
  llvm::Type* const type = a->getType()->isVectorTy() ? llvm::FixedVectorType::get(scalar, lanes_) : scalar;
  const bool fromSigned = isSigned(from);
  if (isFloating(from)) {
    if (to == ValueType::Bool) { return ir_.CreateFCmpUNE(a, llvm::Constant::getNullValue(a->getType())); }
    if (!isFloating(to)) { return nullptr; }
    return ir_.CreateFPCast(a, type);
  }
  if (to == ValueType::Bool) { return from == ValueType::Bool ? a : ir_.CreateIsNotNull(a); }
  if (isFloating(to)) { return fromSigned ? ir_.CreateSIToFP(a, type) : ir_.CreateUIToFP(a, type); }
  const int bits = sizeInMemory(to) * 8;
  if (bits >= 32) { return ir_.CreateIntCast(a, type, fromSigned); }
  // Narrow types: the value itself, extended.
  llvm::Type* const narrow = ir_.getIntNTy(static_cast<unsigned>(bits));
  llvm::Type* const cut = type->isVectorTy() ? llvm::FixedVectorType::get(narrow, lanes_) : narrow;
  return ir_.CreateIntCast(ir_.CreateIntCast(a, cut, fromSigned), type, isSigned(to));
}

void KernelBuilder::emitArithmetic(std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  const Value& value = shapes_[shapes_.writtenBy(at)];
  if (value.shape.known()) { return; }
  if (instruction.op == Opcode::Offset) { return emitOffset(at); }
  if (value.shape.affine() && !value.shape.uniform()) {
    const auto affine = [&](RegisterId reg) { return shapes_.shapeRead(at, reg).affine(); };
    if (instruction.op == Opcode::Assign) { return write(at, read(at, instruction.a)); }
    if (instruction.op == Opcode::Convert && affine(instruction.a)) { return emitWidening(at); }
  }
  const bool scalar = value.shape.affine();
  if (instruction.op == Opcode::Assign && !scalar) {
    return write(at, {.base = counted(instruction.type, readLanes(at, instruction.a))});
  }
  // Of affine values the bases are added, subtracted, scaled, chosen, as their lanes are. One that may have wrapped is
  // not taken up.
  llvm::Value* ok = nullptr;
  const auto operand = [&](RegisterId reg) {
    if (!scalar) { return readLanes(at, reg); }
    const Val val = read(at, reg);
    if (val.ok != nullptr) { ok = ok == nullptr ? val.ok : ir_.CreateAnd(ok, val.ok); }
    return val.base;
  };
  llvm::Value* const result = arithmetic(at, operand);
  if (result == nullptr) { return emitStep(at); }
  if (ok != nullptr && !value.shape.uniform()) {
    // The operands as they are here: they dominate whatever reads this.
    Val made{.base = result, .ok = ok};
    std::map<RegisterId, Val> operands;
    std::map<RegisterId, Shape> shapes;
    for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
      if (reg == kNone) { continue; }
      operands[reg] = read(at, reg);
      shapes[reg] = shapes_.shapeRead(at, reg);
    }
    made.exact = [this, at, operands, shapes] {
      return arithmetic(at, [&](RegisterId reg) { return lanesOf(operands.at(reg), shapes.at(reg)); });
    };
    return write(at, made);
  }
  if (ok != nullptr) { giveUpIf(ir_.CreateNot(ok)); }
  write(at, {.base = result});
}

/// Whether no lane of an affine 32-bit number wraps.
llvm::Value* KernelBuilder::staysWithin(llvm::Value* base, const Lanes& lanes, ValueType type) {
  const auto [least, most] = std::ranges::minmax(lanes);
  const bool ofSigned = isSigned(type);
  llvm::Type* const i64 = ir_.getInt64Ty();
  llvm::Value* const wide = ir_.CreateIntCast(base, i64, ofSigned);
  const std::int64_t low = ofSigned ? std::numeric_limits<std::int32_t>::min() : 0;
  const std::int64_t high =
      ofSigned ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::uint32_t>::max();
  // low <= base + least and base + most <= high, as one comparison.
  llvm::Value* const from = ir_.CreateAdd(wide, ir_.getInt64(static_cast<std::uint64_t>(least - low)));
  return ir_.CreateICmpULE(from, ir_.getInt64(static_cast<std::uint64_t>(high - low - (most - least))));
}

void KernelBuilder::emitWidening(std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  const ValueType from = typeOf(instruction.a), to = instruction.type;
  const Val a = read(at, instruction.a);
  const Shape shape = shapes_.shapeRead(at, instruction.a);
  llvm::Type* const type = scalarType(to);
  Val result{.base = ir_.CreateIntCast(a.base, type, isSigned(from)), .ok = a.ok};
  const bool widens = sizeInRegister(from) == 4 && sizeInRegister(to) == 8;
  if (widens) { result.ok = staysWithin(a.base, shape.lane, from); }
  if (widens || a.ok != nullptr) {
    result.exact = [this, a, shape, type, from] {
      return ir_.CreateIntCast(lanesOf(a, shape), llvm::FixedVectorType::get(type, lanes_), isSigned(from));
    };
  }
  write(at, result);
}

void KernelBuilder::emitOffset(std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  const Value& value = shapes_[shapes_.writtenBy(at)];
  const ValueType type = typeOf(instruction.b);
  const Val pointer = read(at, instruction.a), index = read(at, instruction.b);
  const Shape ofPointer = shapes_.shapeRead(at, instruction.a), ofIndex = shapes_.shapeRead(at, instruction.b);
  llvm::Type* const i64 = ir_.getInt64Ty();
  const auto scaled = [this, i64, type, scale = instruction.aux](llvm::Value* number) {
    llvm::Type* const to =
        number->getType()->isVectorTy() ? llvm::FixedVectorType::get(i64, lanes_) : static_cast<llvm::Type*>(i64);
    llvm::Value* const extended = ir_.CreateIntCast(number, to, isSigned(type));
    return ir_.CreateMul(extended, llvm::ConstantInt::get(to, scale));
  };
  const auto exact = [this, pointer, index, ofPointer, ofIndex, scaled] {
    return ir_.CreateAdd(lanesOf(pointer, ofPointer), scaled(lanesOf(index, ofIndex)));
  };
  if (value.shape.varying()) { return write(at, {.base = exact()}); }
  Val result{.base = ir_.CreateAdd(pointer.base, scaled(index.base)), .ok = pointer.ok};
  const auto also = [&](llvm::Value* ok) {
    if (ok != nullptr) { result.ok = result.ok == nullptr ? ok : ir_.CreateAnd(result.ok, ok); }
  };
  also(index.ok);
  if (sizeInRegister(type) == 4 && !ofIndex.uniform()) { also(staysWithin(index.base, ofIndex.lane, type)); }
  if (result.ok != nullptr) { result.exact = exact; }
  write(at, result);
}

}  // namespace haloscope::codegen
