#include "codegen/KernelBuilder.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace haloscope::codegen {
namespace {

/// Consecutive lanes whose elements are, too.
struct Run {
  int first = 0, count = 0;
};

std::vector<Run> runsOf(const Lanes& bytes, int lanes, std::int64_t size) {
  std::vector<Run> runs{{0, 1}};
  for (int lane = 1; lane < lanes; ++lane) {
    if (bytes[lane] == bytes[lane - 1] + size) {
      ++runs.back().count;
    } else {
      runs.push_back({lane, 1});
    }
  }
  return runs;
}

/// Few, and as long as each other: their vectors are parts of the whole.
bool areParts(const std::vector<Run>& runs) {
  constexpr std::size_t kMost = 8;
  return runs.size() <= kMost && std::ranges::all_of(runs, [&](const Run& run) { return run.count == runs[0].count; });
}

bool areDistinct(const Lanes& bytes, unsigned lanes) {
  std::vector<std::int64_t> sorted(bytes.begin(), bytes.begin() + lanes);
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

std::vector<int> indices(int first, int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) { all.push_back(first + i); }
  return all;
}

}  // namespace

template <class Access>
Access* KernelBuilder::tag(Access* access, ObjectId object) {
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, scopes_[object]);
  access->setMetadata(llvm::LLVMContext::MD_noalias, otherScopes_[object]);
  return access;
}

llvm::Type* KernelBuilder::elementType(ValueType type) {
  if (type == ValueType::F32 || type == ValueType::F64) { return scalarType(type); }
  return ir_.getIntNTy(static_cast<unsigned>(sizeInMemory(type)) * 8);
}

llvm::Value* KernelBuilder::fromElement(ValueType type, llvm::Value* element) {
  if (type == ValueType::Bool) { return ir_.CreateIsNotNull(element); }
  if (sizeInMemory(type) >= 4) { return element; }
  llvm::Type* const word = element->getType()->isVectorTy() ? llvm::FixedVectorType::get(ir_.getInt32Ty(), lanes_)
                                                            : static_cast<llvm::Type*>(ir_.getInt32Ty());
  return ir_.CreateIntCast(element, word, isSigned(type));
}

llvm::Value* KernelBuilder::toElement(ValueType type, llvm::Value* lane) {
  if (sizeInMemory(type) >= 4) { return lane; }
  return ir_.CreateZExtOrTrunc(lane, llvm::FixedVectorType::get(elementType(type), lanes_));
}

/// In units of elements: the offset's low bits, which a misaligned one has, come to the top.
llvm::Value* KernelBuilder::indexOf(llvm::Value* offset, int size) {
  if (size == 1) { return offset; }
  llvm::Value* const by =
      llvm::ConstantInt::get(offset->getType(), static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(size))));
  return ir_.CreateIntrinsic(llvm::Intrinsic::fshr, {offset->getType()}, {offset, offset, by});
}

KernelBuilder::Split KernelBuilder::split(llvm::Value* fast) {
  Split split;
  for (llvm::BasicBlock** const block : {&split.fast, &split.slow}) {
    *block = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  }
  llvm::MDBuilder meta(module_.getContext());
  ir_.CreateCondBr(fast, split.fast, split.slow, meta.createBranchWeights(1 << 20, 1));
  return split;
}

llvm::Value* KernelBuilder::loadFrom(llvm::Value* first, const Lanes& bytes, llvm::Type* element, ObjectId object,
                                     llvm::Value* mask) {
  const std::int64_t size = static_cast<std::int64_t>(element->getScalarSizeInBits()) / 8;
  const llvm::Align alignment(static_cast<std::uint64_t>(size));
  const bool constant = !written_[object] && program_.objects[object].space != MemorySpace::Shared;
  const auto load = [&](llvm::Type* type, std::int64_t at) {
    llvm::LoadInst* const loads = ir_.CreateAlignedLoad(
        type, ir_.CreateGEP(ir_.getInt8Ty(), first, ir_.getInt64(static_cast<std::uint64_t>(at))), alignment);
    if (constant) {
      loads->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
    }
    return tag(loads, object);
  };
  if (bytes == Lanes{}) { return load(element, 0); }
  const std::vector<Run> runs = runsOf(bytes, static_cast<int>(lanes_), size);
  if (areParts(runs)) {
    std::vector<llvm::Value*> parts;
    for (const Run& run : runs) {
      auto* const type = llvm::FixedVectorType::get(element, static_cast<unsigned>(run.count));
      if (mask == nullptr) {
        parts.push_back(load(type, bytes[run.first]));
        continue;
      }
      llvm::Value* const place =
          ir_.CreateGEP(ir_.getInt8Ty(), first, ir_.getInt64(static_cast<std::uint64_t>(bytes[run.first])));
      parts.push_back(
          tag(ir_.CreateMaskedLoad(type, place, alignment, ir_.CreateShuffleVector(mask, indices(run.first, run.count)),
                                   llvm::Constant::getNullValue(type)),
              object));
    }
    for (int count = runs[0].count; parts.size() > 1; count *= 2) {
      std::vector<llvm::Value*> joined;
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        joined.push_back(ir_.CreateShuffleVector(parts[i], parts[i + 1], indices(0, 2 * count)));
      }
      parts = std::move(joined);
    }
    return parts.front();
  }
  llvm::Value* const places = ir_.CreateGEP(ir_.getInt8Ty(), first, laneConstant(bytes, ir_.getInt64Ty()));
  auto* const all = llvm::FixedVectorType::get(element, lanes_);
  return tag(ir_.CreateMaskedGather(all, places, alignment, mask, llvm::Constant::getNullValue(all)), object);
}

void KernelBuilder::storeTo(llvm::Value* first, const Lanes& bytes, llvm::Value* lanes, ObjectId object) {
  llvm::Type* const element = lanes->getType()->getScalarType();
  const std::int64_t size = static_cast<std::int64_t>(element->getScalarSizeInBits()) / 8;
  const llvm::Align alignment(static_cast<std::uint64_t>(size));
  llvm::Value* const mask = vectorOf(active());
  const std::vector<Run> runs = runsOf(bytes, static_cast<int>(lanes_), size);
  if (areParts(runs) && areDistinct(bytes, lanes_)) {
    for (const Run& run : runs) {
      const std::vector<int> part = indices(run.first, run.count);
      llvm::Value* const place =
          ir_.CreateGEP(ir_.getInt8Ty(), first, ir_.getInt64(static_cast<std::uint64_t>(bytes[run.first])));
      tag(ir_.CreateMaskedStore(ir_.CreateShuffleVector(lanes, part), place, alignment,
                                ir_.CreateShuffleVector(mask, part)),
          object);
    }
    return;
  }
  // In lane order: the last lane that writes an element wins.
  llvm::Value* const places = ir_.CreateGEP(ir_.getInt8Ty(), first, laneConstant(bytes, ir_.getInt64Ty()));
  tag(ir_.CreateMaskedScatter(lanes, places, alignment, mask), object);
}

void KernelBuilder::emitAccess(std::uint32_t at) {
  const Instruction& access = program_.code[at];
  const bool native =
      (access.op == Opcode::Load || access.op == Opcode::Store) && access.aux != kNone && access.type != ValueType::F16;
  if (!native) {
    if (writesMemory(access.op)) { emitClaim(at); }
    return emitStep(at);
  }
  const ObjectId object = access.aux;
  if (program_.objects[object].space == MemorySpace::Local) { return emitLocalAccess(at); }
  const bool stores = access.op == Opcode::Store;
  if (stores && program_.objects[object].space == MemorySpace::Global) { emitClaim(at); }
  const int size = sizeInMemory(access.type);
  const auto bytes = static_cast<std::int64_t>(launch_.objectBytes[object]);
  const Val pointer = read(at, access.a);
  const Shape& shape = shapes_.shapeRead(at, access.a);
  const std::uint64_t begin = PackedPointer::pack(object, 0);
  llvm::Type* const element = elementType(access.type);
  llvm::Value* const value = stores ? toElement(access.type, readLanes(at, access.b)) : nullptr;

  if (shape.affine()) { return emitAffineAccess(at, pointer, shape, value); }

  if (bytes < size) { return emitStep(at); }
  llvm::Type* const wide = pointer.base->getType();
  llvm::Value* const offset = ir_.CreateSub(pointer.base, llvm::ConstantInt::get(wide, begin));
  llvm::Value* const inside =
      ir_.CreateICmpULT(indexOf(offset, size), llvm::ConstantInt::get(wide, static_cast<std::uint64_t>(bytes / size)));
  llvm::Value* const lanes = active();
  const Split ways = split(ir_.CreateIsNull(ir_.CreateAnd(lanes, ir_.CreateNot(bitsOf(inside)))));
  llvm::BasicBlock* const after = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  ir_.SetInsertPoint(ways.fast);
  llvm::Value* const places = ir_.CreateGEP(ir_.getInt8Ty(), objectData_[object], offset);
  const llvm::Align alignment(static_cast<std::uint64_t>(size));
  llvm::Value* quick = nullptr;
  if (stores) {
    tag(ir_.CreateMaskedScatter(value, places, alignment, vectorOf(lanes)), object);
  } else {
    llvm::Type* const all = llvm::FixedVectorType::get(element, lanes_);
    quick = fromElement(access.type, tag(ir_.CreateMaskedGather(all, places, alignment, vectorOf(lanes),
                                                                llvm::Constant::getNullValue(all)),
                                         object));
  }
  llvm::BasicBlock* const afterFast = ir_.GetInsertBlock();
  ir_.CreateBr(after);
  ir_.SetInsertPoint(ways.slow);
  llvm::Value* const careful = callStep(at);
  llvm::BasicBlock* const afterSlow = ir_.GetInsertBlock();
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
  if (stores) { return; }
  llvm::PHINode* const result = ir_.CreatePHI(quick->getType(), 2);
  result->addIncoming(quick, afterFast);
  result->addIncoming(careful, afterSlow);
  write(at, {.base = result});
}

/// Where no lane can be outside, all are accessed as vectors. At an array's edges lanes that are not active often are:
/// then the others are.
void KernelBuilder::emitAffineAccess(std::uint32_t at, const Val& pointer, const Shape& shape, llvm::Value* value) {
  const Instruction& access = program_.code[at];
  const ObjectId object = access.aux;
  const bool stores = value != nullptr;
  const int size = sizeInMemory(access.type);
  const auto bytes = static_cast<std::int64_t>(launch_.objectBytes[object]);
  const auto [least, most] = std::ranges::minmax(shape.lane);
  const bool whole = std::ranges::all_of(shape.lane, [&](std::int64_t lane) { return lane % size == 0; });
  const std::int64_t room = bytes - (most - least) - size;
  constexpr std::int64_t kFar = std::int64_t{1} << 30;
  const bool masks = mayBePart(at) && !shape.uniform() && least > -kFar && most < kFar && bytes >= size;
  if (!whole || (room < 0 && !masks)) { return emitStep(at); }

  llvm::Value* const offset = ir_.CreateSub(pointer.base, ir_.getInt64(PackedPointer::pack(object, 0)));
  llvm::BasicBlock* const after = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  struct Result {
    llvm::Value* lanes;
    llvm::BasicBlock* from;
  };
  std::vector<Result> results;
  const bool varying = !stores && shapes_[shapes_.writtenBy(at)].shape.varying();
  const auto comes = [&](llvm::Value* lanes) {
    // One element for all lanes, but others read another way.
    if (varying && !lanes->getType()->isVectorTy()) { lanes = splat(lanes); }
    results.push_back({lanes, ir_.GetInsertBlock()});
    ir_.CreateBr(after);
  };
  const auto accessed = [&](llvm::Value* mask) {
    llvm::Value* const first = ir_.CreateGEP(ir_.getInt8Ty(), objectData_[object], offset);
    if (stores) {
      storeTo(first, shape.lane, value, object);
      return static_cast<llvm::Value*>(nullptr);
    }
    return fromElement(access.type, loadFrom(first, shape.lane, elementType(access.type), object, mask));
  };
  const auto usually = [&](llvm::Value* condition, llvm::Value* mask) {
    const Split ways = split(condition);
    ir_.SetInsertPoint(ways.fast);
    comes(accessed(mask));
    ir_.SetInsertPoint(ways.slow);
  };
  const auto known = [&](llvm::Value* condition) {
    return pointer.ok == nullptr ? condition : ir_.CreateAnd(condition, pointer.ok);
  };
  const auto word = [&](std::int64_t number) { return ir_.getInt64(static_cast<std::uint64_t>(number)); };
  if (room >= 0) {
    llvm::Value* const lowest = ir_.CreateAdd(offset, word(least));
    usually(known(ir_.CreateICmpULE(indexOf(lowest, size), word(room / size))), nullptr);
  }
  if (masks) {
    // A lane is inside if it is at least as far as the array's begin is from the first one, and at most as its last
    // element is.
    const auto cut = [&](llvm::Value* distance) {
      llvm::Value* const low = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, distance, word(-kFar));
      llvm::Value* const limited = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, low, word(kFar));
      return splat(ir_.CreateTrunc(limited, ir_.getInt32Ty()));
    };
    llvm::Value* const lanes = laneConstant(shape.lane, ir_.getInt32Ty());
    llvm::Value* const inside = ir_.CreateAnd(ir_.CreateICmpSGE(lanes, cut(ir_.CreateNeg(offset))),
                                              ir_.CreateICmpSLE(lanes, cut(ir_.CreateSub(word(bytes - size), offset))));
    llvm::Value* const misplaced = ir_.CreateAnd(offset, word(size - 1));
    llvm::Value* const fits = ir_.CreateAnd(ir_.CreateIsNull(ir_.CreateAnd(active(), ir_.CreateNot(bitsOf(inside)))),
                                            ir_.CreateIsNull(misplaced));
    usually(known(fits), vectorOf(active()));
  }
  llvm::Value* careful = callStep(at);
  if (!stores && !varying) {
    careful = firstActive(careful);  // the others have read the same
  }
  comes(careful);
  ir_.SetInsertPoint(after);
  if (stores) { return; }
  llvm::PHINode* const result = ir_.CreatePHI(results.front().lanes->getType(), static_cast<unsigned>(results.size()));
  for (const Result& one : results) { result->addIncoming(one.lanes, one.from); }
  write(at, {.base = result});
}

/// A local array is kept element by element, of each all lanes.
void KernelBuilder::emitLocalAccess(std::uint32_t at) {
  const Instruction& access = program_.code[at];
  const ObjectId object = access.aux;
  const bool stores = access.op == Opcode::Store;
  const int size = sizeInMemory(access.type);
  const auto count = static_cast<std::uint64_t>(program_.objects[object].byteCount()) / static_cast<unsigned>(size);
  const Val pointer = read(at, access.a);
  const Shape& shape = shapes_.shapeRead(at, access.a);
  const std::uint64_t begin = PackedPointer::pack(object, 0);
  llvm::Type* const element = elementType(access.type);
  llvm::Type* const all = llvm::FixedVectorType::get(element, lanes_);
  llvm::Value* const value = stores ? toElement(access.type, readLanes(at, access.b)) : nullptr;
  const llvm::Align alignment(static_cast<std::uint64_t>(size));
  if (shape.uniform()) {
    llvm::Value* const offset = ir_.CreateSub(pointer.base, ir_.getInt64(begin));
    giveUpIf(ir_.CreateICmpUGE(indexOf(offset, size), ir_.getInt64(count)));
    llvm::Value* const place =
        ir_.CreateGEP(ir_.getInt8Ty(), objectData_[object], ir_.CreateMul(offset, ir_.getInt64(lanes_)));
    if (stores) {
      tag(ir_.CreateMaskedStore(value, place, alignment, vectorOf(active())), object);
    } else {
      write(at, {.base = fromElement(access.type, tag(ir_.CreateAlignedLoad(all, place, alignment), object))});
    }
    return;
  }
  llvm::Value* const pointers = lanesOf(pointer, shape);
  llvm::Type* const wide = pointers->getType();
  llvm::Value* const offset = ir_.CreateSub(pointers, llvm::ConstantInt::get(wide, begin));
  llvm::Value* const inside = ir_.CreateICmpULT(indexOf(offset, size), llvm::ConstantInt::get(wide, count));
  giveUpIf(ir_.CreateIsNotNull(ir_.CreateAnd(active(), ir_.CreateNot(bitsOf(inside)))));
  Lanes own{};
  for (unsigned lane = 0; lane < lanes_; ++lane) { own[lane] = std::int64_t{lane} * size; }
  llvm::Value* const in =
      ir_.CreateAdd(ir_.CreateMul(offset, llvm::ConstantInt::get(wide, lanes_)), laneConstant(own, ir_.getInt64Ty()));
  llvm::Value* const places = ir_.CreateGEP(ir_.getInt8Ty(), objectData_[object], in);
  if (stores) {
    tag(ir_.CreateMaskedScatter(value, places, alignment, vectorOf(active())), object);
  } else {
    write(at, {.base = fromElement(access.type, tag(ir_.CreateMaskedGather(all, places, alignment, vectorOf(active()),
                                                                           llvm::Constant::getNullValue(all)),
                                                    object))});
  }
}

llvm::Value* KernelBuilder::scratchOf(unsigned warp, unsigned operand) {
  return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), contextPointer(offsetof(BlockContext, scratch)),
                                        (warp * kOperands + operand) * kScratchBytes);
}

void KernelBuilder::storeOperand(unsigned operand, llvm::Value* lanes) {
  if (lanes->getType()->getScalarType()->isIntegerTy(1)) {
    lanes = ir_.CreateZExt(lanes, llvm::FixedVectorType::get(ir_.getInt32Ty(), lanes_));
  }
  for (unsigned warp = 0; warp < warps_; ++warp) {
    const int first = static_cast<int>(warp) * kWarpSize;
    llvm::Value* const own = warps_ == 1 ? lanes : ir_.CreateShuffleVector(lanes, indices(first, kWarpSize));
    ir_.CreateAlignedStore(own, scratchOf(warp, operand), llvm::Align(kVectorAlignment));
  }
}

void KernelBuilder::call(std::size_t function, std::uint32_t at) {
  auto* const type =
      llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy(), ir_.getInt32Ty(), ir_.getInt64Ty()}, false);
  ir_.CreateCall(type, contextPointer(function),
                 {context_, ir_.getInt32(at), ir_.CreateZExt(active(), ir_.getInt64Ty())});
}

void KernelBuilder::emitClaim(std::uint32_t at) {
  llvm::Value* const claims = contextPointer(offsetof(BlockContext, claims));
  llvm::BasicBlock* const notes = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  llvm::BasicBlock* const on = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  llvm::MDBuilder meta(module_.getContext());
  ir_.CreateCondBr(ir_.CreateIsNull(claims), on, notes, meta.createBranchWeights(1 << 20, 1));
  ir_.SetInsertPoint(notes);
  storeOperand(1, readLanes(at, program_.code[at].a));
  call(offsetof(BlockContext, claim), at);
  ir_.CreateBr(on);
  ir_.SetInsertPoint(on);
}

llvm::Value* KernelBuilder::callStep(std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  unsigned operand = 0;
  for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
    ++operand;
    if (reg != kNone) { storeOperand(operand, readLanes(at, reg)); }
  }
  call(offsetof(BlockContext, step), at);
  if (instruction.dst == kNone) { return nullptr; }
  const ValueType result = typeOf(instruction.dst);
  llvm::Type* const lane = result == ValueType::Bool ? static_cast<llvm::Type*>(ir_.getInt32Ty()) : scalarType(result);
  llvm::Value* lanes = nullptr;
  for (unsigned warp = 0; warp < warps_; ++warp) {
    llvm::Value* const own = ir_.CreateAlignedLoad(llvm::FixedVectorType::get(lane, kWarpSize), scratchOf(warp, 0),
                                                   llvm::Align(kVectorAlignment));
    lanes = lanes == nullptr ? own : ir_.CreateShuffleVector(lanes, own, indices(0, kMostLanes));
  }
  // What other steps have left for lanes that are not active may be numbers that are slow to compute with.
  llvm::Value* const own = ir_.CreateSelect(vectorOf(active()), lanes, llvm::Constant::getNullValue(lanes->getType()));
  return result == ValueType::Bool ? ir_.CreateIsNotNull(own) : own;
}

void KernelBuilder::emitStep(std::uint32_t at) {
  llvm::Value* const lanes = callStep(at);
  if (lanes == nullptr) { return; }
  const Shape& shape = shapes_[shapes_.writtenBy(at)].shape;
  if (shape.varying()) { return write(at, {.base = lanes}); }
  // All lanes are the same: those that the step has computed.
  write(at, {.base = firstActive(lanes)});
}

}  // namespace haloscope::codegen
