#include "codegen/KernelBuilder.h"

#include <algorithm>
#include <cstddef>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "program/RealBits.h"

namespace haloscope::codegen {

llvm::Type* KernelBuilder::scalarType(ValueType type) {
  if (type == ValueType::Bool) { return ir_.getInt1Ty(); }
  if (type == ValueType::F32 || type == ValueType::F16) { return ir_.getFloatTy(); }
  if (type == ValueType::F64) { return ir_.getDoubleTy(); }
  return sizeInRegister(type) == 8 ? ir_.getInt64Ty() : ir_.getInt32Ty();
}

llvm::Type* KernelBuilder::typeOf(const Value& value) {
  llvm::Type* const scalar = scalarType(program_.registers[value.reg].type);
  return value.shape.varying() ? llvm::FixedVectorType::get(scalar, lanes_) : scalar;
}

llvm::Value* KernelBuilder::splat(llvm::Value* scalar) { return ir_.CreateVectorSplat(lanes_, scalar); }

llvm::Value* KernelBuilder::laneConstant(const Lanes& lanes, llvm::Type* element) {
  std::vector<llvm::Constant*> constants;
  for (unsigned i = 0; i < lanes_; ++i) {
    constants.push_back(llvm::ConstantInt::get(
        element, llvm::APInt(64, static_cast<std::uint64_t>(lanes[i])).trunc(element->getIntegerBitWidth())));
  }
  return llvm::ConstantVector::get(constants);
}

llvm::Value* KernelBuilder::lanesOf(const Val& value, const Shape& shape) {
  if (value.base->getType()->isVectorTy()) { return value.base; }
  if (value.exact) { return value.exact(); }
  llvm::Value* const all = splat(value.base);
  if (shape.uniform()) { return all; }
  return ir_.CreateAdd(all, laneConstant(shape.lane, value.base->getType()));
}

/// Whether what an instruction has computed is the value that a later one reads, on every way there.
bool KernelBuilder::reaches(std::uint32_t write, std::uint32_t read) const {
  return write < read && epoch_[write] == epoch_[read] && structure_.dominates(write, read);
}

KernelBuilder::Val KernelBuilder::read(std::uint32_t at, RegisterId reg) {
  const ValueId id = shapes_.readBy(at, reg);
  const Value& value = shapes_[id];
  llvm::Type* const type = typeOf(value);
  if (value.shape.known()) {
    return {.base = llvm::ConstantInt::get(type, llvm::APInt(64, *value.shape.base).trunc(type->getIntegerBitWidth()))};
  }
  const Register& info = program_.registers[reg];
  if (info.kind == RegisterKind::Builtin) { return builtins_[reg]; }
  if (info.kind == RegisterKind::Constant) {  // a floating-point number
    const unsigned width = type->getScalarSizeInBits();
    const std::uint64_t bits = registerBits(info.type, info.bits);
    return {.base = llvm::ConstantExpr::getBitCast(
                llvm::ConstantInt::get(ir_.getIntNTy(width), llvm::APInt(64, bits).trunc(width)), type)};
  }
  const Cached& cached = cached_[id];
  if (cached.write != kNone && reaches(cached.write, at)) { return cached.value; }
  if (storage_[id] == nullptr) { return {.base = llvm::Constant::getNullValue(type)}; }  // nothing writes it
  return {.base = load(storage_[id], type)};
}

llvm::Value* KernelBuilder::readLanes(std::uint32_t at, RegisterId reg) {
  return lanesOf(read(at, reg), shapes_.shapeRead(at, reg));
}

void KernelBuilder::write(std::uint32_t at, const Val& result) {
  const ValueId id = shapes_.writtenBy(at);
  const Value& value = shapes_[id];
  if (value.shape.known() || storage_[id] == nullptr) { return; }
  if (value.shape.varying()) {
    Shape own{.kind = Shape::Kind::Affine};
    llvm::Value* lanes = result.base;
    if (!lanes->getType()->isVectorTy()) {
      const Instruction& instruction = program_.code[at];
      // An Assign of an affine value to a varying one; all others give all lanes.
      if (instruction.op == Opcode::Assign) { own = shapes_.shapeRead(at, instruction.a); }
      lanes = lanesOf(result, own);
    }
    llvm::Type* const type = typeOf(value);
    if (value.merges) { lanes = ir_.CreateSelect(vectorOf(active()), lanes, load(storage_[id], type)); }
    ir_.CreateStore(lanes, storage_[id]);
    if (value.writes.size() == 1 && !value.merges) { cached_[id] = {at, {.base = lanes}}; }
    return;
  }
  ir_.CreateStore(result.base, storage_[id]);
  const bool once = value.writes.size() == 1;
  const bool everywhere =
      once && std::ranges::all_of(value.reads, [&](std::uint32_t read) { return reaches(at, read); });
  if (result.ok != nullptr && !everywhere) { giveUpIf(ir_.CreateNot(result.ok)); }
  if (once) { cached_[id] = {at, everywhere ? result : Val{.base = result.base}}; }
}

void KernelBuilder::prepareBuiltin(ValueId id) {
  const Value& value = shapes_[id];
  const Builtin builtin = program_.registers[value.reg].builtin;
  const std::size_t component = componentOf(builtin);
  if (haloscope::vectorOf(builtin) == Builtin::BlockIdxX) {
    builtins_[value.reg] = {
        .base = contextField(offsetof(BlockContext, block) + component * sizeof(std::uint32_t), ir_.getInt32Ty())};
    return;
  }
  // threadIdx: of the first thread of each group, or of all.
  const LaunchConfiguration& configuration = launch_.configuration;
  const bool all = value.shape.varying();
  std::vector<std::uint32_t> table;
  for (std::uint32_t begin = 0; begin < configuration.threadsPerBlock(); begin += lanes_) {
    for (std::uint32_t lane = 0; lane < (all ? lanes_ : 1U); ++lane) {
      table.push_back(unlinear(std::uint64_t{begin} + lane, configuration.block).component(component));
    }
  }
  llvm::Constant* const numbers = llvm::ConstantDataArray::get(module_.getContext(), table);
  auto* const global = new llvm::GlobalVariable(module_, numbers->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                                numbers, "threads");
  global->setAlignment(llvm::Align(64));
  llvm::Type* const i32 = ir_.getInt32Ty();
  llvm::Value* const place = ir_.CreateZExt(group_, ir_.getInt64Ty());
  if (!all) {
    builtins_[value.reg] = {.base = ir_.CreateLoad(i32, ir_.CreateInBoundsGEP(i32, global, {place}))};
    return;
  }
  llvm::Type* const lanes = llvm::FixedVectorType::get(i32, lanes_);
  builtins_[value.reg] = {
      .base = ir_.CreateAlignedLoad(lanes, ir_.CreateInBoundsGEP(lanes, global, {place}), llvm::Align(64))};
}

llvm::Value* KernelBuilder::bitsOf(llvm::Value* maskVector) { return ir_.CreateBitCast(maskVector, maskType()); }

llvm::Value* KernelBuilder::firstActive(llvm::Value* lanes) {
  llvm::Value* const lane = ir_.CreateIntrinsic(llvm::Intrinsic::cttz, {maskType()}, {active(), ir_.getFalse()});
  return ir_.CreateExtractElement(lanes, ir_.CreateAnd(lane, llvm::ConstantInt::get(maskType(), lanes_ - 1)));
}

llvm::Value* KernelBuilder::vectorOf(llvm::Value* mask) {
  return ir_.CreateBitCast(mask, llvm::FixedVectorType::get(ir_.getInt1Ty(), lanes_));
}

llvm::Value* KernelBuilder::maskOf(std::uint32_t at, RegisterId condition) {
  llvm::Value* lanes = readLanes(at, condition);
  if (!lanes->getType()->getScalarType()->isIntegerTy(1)) { lanes = ir_.CreateIsNotNull(lanes); }
  return bitsOf(lanes);
}

llvm::Value* KernelBuilder::contextPointer(std::size_t offset) { return contextField(offset, ir_.getPtrTy()); }

llvm::Value* KernelBuilder::contextField(std::size_t offset, llvm::Type* type) {
  return ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), context_, offset));
}

}  // namespace haloscope::codegen
