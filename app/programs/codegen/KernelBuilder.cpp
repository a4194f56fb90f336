#include "codegen/KernelBuilder.h"

#include <algorithm>
#include <cstddef>

#include <llvm/IR/MDBuilder.h>

#include "program/Program.h"

namespace haloscope::codegen {
namespace {

std::size_t aligned(std::size_t bytes) { return (bytes + kVectorAlignment - 1) / kVectorAlignment * kVectorAlignment; }

}  // namespace

std::vector<std::size_t> localOffsets(const Program& program, unsigned warps, std::size_t& bytes) {
  std::vector<std::size_t> offsets;
  bytes = 0;
  for (const MemoryObject& object : program.objects) {
    offsets.push_back(bytes);
    if (object.space == MemorySpace::Local) {
      bytes = aligned(bytes + static_cast<std::size_t>(object.byteCount()) * warps * kWarpSize);
    }
  }
  return offsets;
}

KernelBuilder::KernelBuilder(const Program& program, const machine::KernelShape& launch, unsigned warps,
                             const Processor& processor, llvm::Module& module)
    : program_(program),
      launch_(launch),
      warps_(warps),
      lanes_(warps * kWarpSize),
      isOneGroup_(launch.configuration.warpsPerBlock() <= warps),
      processor_(processor),
      module_(module),
      ir_(module.getContext()),
      structure_(program),
      constructs_(program),
      flow_(program, constructs_, structure_),
      shapes_(program, launch, warps, constructs_, structure_),
      written_(writtenObjects(program)) {}

void KernelBuilder::build() {
  llvm::Type* const i32 = ir_.getInt32Ty();
  auto* const type = llvm::FunctionType::get(i32, {ir_.getPtrTy(), ir_.getPtrTy(), i32, ir_.getInt64Ty(), i32}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module_);
  context_ = function_->getArg(0);
  frame_ = function_->getArg(1);
  group_ = function_->getArg(2);
  function_->addParamAttr(0, llvm::Attribute::NoAlias);
  function_->addParamAttr(1, llvm::Attribute::NoAlias);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  prepare();
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) { emit(at); }
}

void KernelBuilder::prepare() {
  const std::size_t count = program_.code.size();
  blocks_.assign(count + 1, nullptr);
  epoch_.assign(count, 0);
  std::uint32_t epoch = 0;
  std::vector<std::uint32_t> loops;
  const auto charge = [&] { ++cost_[loops.empty() ? 0 : constructs_.openedBy(loops.back())]; };
  for (std::uint32_t at = 0; at < count; ++at) {
    const Instruction& instruction = program_.code[at];
    epoch_[at] = epoch;
    const bool loops0 = instruction.op == Opcode::Loop;
    if (loops0) { loops.push_back(at); }
    charge();
    if (instruction.op == Opcode::Barrier && !isOneGroup_) {
      barriers_.push_back(at);
      ++epoch;
    }
    // Within a loop that holds a barrier, what was there before it has been kept and restored.
    if (loops0 && !isOneGroup_ && constructs_[constructs_.openedBy(at)].barrier) { ++epoch; }
    if (instruction.op == Opcode::EndLoop) {
      if (!isOneGroup_ && constructs_[constructs_.openedBy(loops.back())].barrier) { ++epoch; }
      loops.pop_back();
    }
    mayLeave_ |= instruction.op == Opcode::Break || instruction.op == Opcode::Continue ||
                 instruction.op == Opcode::Return || instruction.op == Opcode::LoopTest;
    if (instruction.op == Opcode::Return) { (structure_.insideCall(at) ? mayReturn_ : mayExit_) = true; }
  }
  localOffsets_ = localOffsets(program_, warps_, localBytes_);
  findLive();

  auto* const entry = llvm::BasicBlock::Create(module_.getContext(), "entry", function_);
  ir_.SetInsertPoint(entry);
  const auto mask = [&] {
    llvm::AllocaInst* const slot = ir_.CreateAlloca(maskType());
    ir_.CreateStore(noLanes(), slot);
    return slot;
  };
  existing_ = launch_.configuration.threadsPerBlock() % lanes_ == 0 ? llvm::ConstantInt::getAllOnesValue(maskType())
                                                                    : ir_.CreateTrunc(function_->getArg(3), maskType());
  active_ = mask();
  gone_ = mask();
  returned_ = mask();
  exited_ = mask();
  ir_.CreateStore(existing_, active_);
  for (std::uint32_t at = 0; at < count; ++at) {
    const Opcode op = program_.code[at].op;
    if (op != Opcode::If && op != Opcode::Loop && op != Opcode::Call) { continue; }
    if (constructs_.divergent(at)) { slots_[at] = {mask(), mask(), mask()}; }
  }
  const auto& values = shapes_.values();
  storage_.assign(values.size(), nullptr);
  cached_.resize(values.size());
  builtins_.resize(program_.registers.size());
  for (ValueId id = 0; id < values.size(); ++id) {
    const Value& value = values[id];
    const RegisterKind kind = program_.registers[value.reg].kind;
    if (value.reads.empty() && value.writes.empty()) { continue; }
    if (value.shape.known() || value.shape.kind == Shape::Kind::Unknown) { continue; }
    if (kind == RegisterKind::Builtin) { prepareBuiltin(id); }
    if (kind == RegisterKind::Builtin || kind == RegisterKind::Constant) { continue; }
    llvm::Type* const type = typeOf(value);
    storage_[id] = ir_.CreateAlloca(type);
    llvm::Constant* initial = llvm::Constant::getNullValue(type);
    if (kind == RegisterKind::Variable) {
      std::uint64_t bits = ~std::uint64_t{0};
      for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
        const Parameter& parameter = program_.parameters[i];
        if (parameter.variable == kNone || program_.variables[parameter.variable].reg != value.reg) { continue; }
        bits = machine::argumentBits(parameter, launch_, i);
      }
      llvm::Type* const scalar = type->getScalarType();
      const unsigned width = scalar->getScalarSizeInBits();
      llvm::Constant* const number = llvm::ConstantInt::get(ir_.getIntNTy(width), llvm::APInt(64, bits).trunc(width));
      initial = scalar->isIntegerTy() ? number : llvm::ConstantExpr::getBitCast(number, scalar);
      if (type->isVectorTy()) {
        initial = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), initial);
      }
    }
    ir_.CreateStore(initial, storage_[id]);
  }
  llvm::Value* const objects = contextPointer(offsetof(BlockContext, objects));
  llvm::MDBuilder meta(module_.getContext());
  llvm::MDNode* const domain = meta.createAnonymousAliasScopeDomain();
  std::vector<llvm::MDNode*> scopes;
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    scopes.push_back(meta.createAnonymousAliasScope(domain));
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    std::vector<llvm::Metadata*> others;
    for (std::size_t j = 0; j < scopes.size(); ++j) {
      if (j != i) { others.push_back(scopes[j]); }
    }
    scopes_.push_back(llvm::MDNode::get(module_.getContext(), {scopes[i]}));
    otherScopes_.push_back(llvm::MDNode::get(module_.getContext(), others));
    const bool local = program_.objects[i].space == MemorySpace::Local;
    llvm::Value* const from =
        local ? contextPointer(offsetof(BlockContext, local))
              : ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateConstInBoundsGEP1_64(ir_.getPtrTy(), objects, i));
    objectData_.push_back(local ? ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), from, localOffsets_[i]) : from);
  }

  givesUp_ = llvm::BasicBlock::Create(module_.getContext(), "gives_up", function_);
  llvm::BasicBlock* const starts = llvm::BasicBlock::Create(module_.getContext(), "starts", function_);
  llvm::SwitchInst* const resume =
      ir_.CreateSwitch(function_->getArg(4), starts, static_cast<unsigned>(barriers_.size()));
  for (std::size_t i = 0; i < barriers_.size(); ++i) {
    resumes_.push_back(llvm::BasicBlock::Create(module_.getContext(), "resume", function_));
    resume->addCase(ir_.getInt32(static_cast<std::uint32_t>(i + 1)), resumes_.back());
  }
  ir_.SetInsertPoint(givesUp_);
  ir_.CreateRet(ir_.getInt32(static_cast<std::uint32_t>(kGivesUp)));
  ir_.SetInsertPoint(starts);
  chargeBudget(cost_[0], mayBePart(0));
  ir_.CreateBr(blockAt(0));
}

llvm::BasicBlock* KernelBuilder::blockAt(std::uint32_t at) {
  if (blocks_[at] == nullptr) { blocks_[at] = llvm::BasicBlock::Create(module_.getContext(), "", function_); }
  return blocks_[at];
}

void KernelBuilder::emit(std::uint32_t at) {
  // Every control instruction, and what follows it, begins a block.
  const auto isControl = [](Opcode op) { return op >= Opcode::Statement && op != Opcode::Statement; };
  const Instruction& instruction = program_.code[at];
  const bool begins =
      at == 0 || isControl(instruction.op) || isControl(program_.code[at - 1].op) || blocks_[at] != nullptr;
  if (begins) {
    llvm::BasicBlock* const block = blockAt(at);
    if (ir_.GetInsertBlock()->getTerminator() == nullptr) { ir_.CreateBr(block); }
    ir_.SetInsertPoint(block);
  }
  if (isControl(instruction.op)) {
    emitControl(at);
  } else if (isAccess(instruction.op)) {
    emitAccess(at);
  } else if (instruction.op != Opcode::Statement) {
    emitArithmetic(at);
  }
}

void KernelBuilder::branchIfActive(std::uint32_t then, std::uint32_t otherwise) {
  ir_.CreateCondBr(ir_.CreateIsNotNull(active()), blockAt(then), blockAt(otherwise));
}

void KernelBuilder::giveUpIf(llvm::Value* condition) {
  llvm::BasicBlock* const on = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  llvm::MDBuilder meta(module_.getContext());
  ir_.CreateCondBr(condition, givesUp_, on, meta.createBranchWeights(1, 1 << 20));
  ir_.SetInsertPoint(on);
}

/// Warps none of whose lanes are active execute nothing.
llvm::Value* KernelBuilder::activeWarps() {
  llvm::Value* const lanes = active();
  llvm::Value* count = ir_.getInt64(0);
  for (unsigned warp = 0; warp < warps_; ++warp) {
    llvm::Value* const own = ir_.CreateTrunc(ir_.CreateLShr(lanes, warp * kWarpSize), ir_.getInt32Ty());
    count = ir_.CreateAdd(count, ir_.CreateZExt(ir_.CreateIsNotNull(own), ir_.getInt64Ty()));
  }
  return count;
}

void KernelBuilder::chargeBudget(std::uint64_t cost, bool bySome) {
  llvm::Value* const own = ir_.getInt64(cost);
  llvm::Value* const all =
      bySome && warps_ > 1 ? ir_.CreateMul(own, activeWarps()) : ir_.CreateMul(own, ir_.getInt64(warps_));
  llvm::Value* const at = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), context_, offsetof(BlockContext, budget));
  llvm::Value* const left = ir_.CreateSub(ir_.CreateLoad(ir_.getInt64Ty(), at), all);
  ir_.CreateStore(left, at);
  llvm::BasicBlock* const refills = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  llvm::BasicBlock* const on = llvm::BasicBlock::Create(module_.getContext(), "", function_);
  llvm::MDBuilder meta(module_.getContext());
  ir_.CreateCondBr(ir_.CreateICmpSLT(left, ir_.getInt64(0)), refills, on, meta.createBranchWeights(1, 1 << 20));
  ir_.SetInsertPoint(refills);
  auto* const type = llvm::FunctionType::get(ir_.getInt32Ty(), {ir_.getPtrTy()}, false);
  llvm::Value* const says = ir_.CreateCall(type, contextPointer(offsetof(BlockContext, refill)), {context_});
  ir_.CreateCondBr(ir_.CreateIsNotNull(says), givesUp_, on);
  ir_.SetInsertPoint(on);
}

void KernelBuilder::emitControl(std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  const std::uint32_t next = at + 1;
  const ConstructId around = constructs_.around(at);
  const std::uint32_t opener =
      instruction.op == Opcode::If || instruction.op == Opcode::Loop || instruction.op == Opcode::Call
          ? at
          : constructs_[around].opener;
  const bool divergent = constructs_.divergent(opener);
  const Slots* const slots = divergent ? &slots_.at(opener) : nullptr;
  const auto get = [&](llvm::Value* slot) { return load(slot, maskType()); };
  const auto set = [&](llvm::Value* slot, llvm::Value* value) { ir_.CreateStore(value, slot); };
  const auto truth = [&](llvm::Value* condition) {
    return condition->getType()->isIntegerTy(1) ? condition : ir_.CreateIsNotNull(condition);
  };
  const auto without = [&](llvm::Value* a, llvm::Value* b) { return ir_.CreateAnd(a, ir_.CreateNot(b)); };
  const auto goOn = [&] {  // at the end of a construct that lanes may have left for good
    if (divergent || constructs_[around].leaves) {
      branchIfActive(next, structure_.join(at));
    } else {
      ir_.CreateBr(blockAt(next));
    }
  };
  switch (instruction.op) {
    case Opcode::If: {
      const bool hasElse = program_.code[instruction.target].op == Opcode::Else;
      if (!divergent) {
        ir_.CreateCondBr(truth(read(at, instruction.a).base), blockAt(next),
                         blockAt(hasElse ? instruction.target + 1 : instruction.target));
        break;
      }
      llvm::Value* const mask = maskOf(at, instruction.a);
      llvm::Value* const before = active();
      set(slots->entered, before);
      set(slots->other, without(before, mask));
      set(active_, ir_.CreateAnd(before, mask));
      branchIfActive(next, instruction.target);
      break;
    }
    case Opcode::Else:
      if (!divergent) {
        ir_.CreateBr(blockAt(instruction.target));
        break;
      }
      set(active_, get(slots->other));
      branchIfActive(next, instruction.target);
      break;
    case Opcode::EndIf:
      if (divergent) { set(active_, without(get(slots->entered), get(gone_))); }
      goOn();
      break;
    case Opcode::Loop:
      if (divergent) {
        set(slots->entered, active());
        set(slots->gone, get(gone_));
        set(slots->other, noLanes());
      }
      chargeBudget(cost_[constructs_.openedBy(at)], mayBePart(at));
      ir_.CreateBr(blockAt(next));
      break;
    case Opcode::LoopTest: {
      if (!divergent) {
        ir_.CreateCondBr(truth(read(at, instruction.a).base), blockAt(next), blockAt(instruction.target));
        break;
      }
      llvm::Value* const mask = maskOf(at, instruction.a);
      llvm::Value* const before = active();
      set(gone_, ir_.CreateOr(get(gone_), without(before, mask)));
      set(active_, ir_.CreateAnd(before, mask));
      llvm::BasicBlock* const none = llvm::BasicBlock::Create(module_.getContext(), "", function_);
      ir_.CreateCondBr(ir_.CreateIsNotNull(active()), blockAt(next), none);
      ir_.SetInsertPoint(none);
      ir_.CreateCondBr(ir_.CreateIsNotNull(get(slots->other)), blockAt(structure_.join(at)),
                       blockAt(instruction.target));
      break;
    }
    case Opcode::LoopNext:
    case Opcode::LoopBack: {
      const bool back = instruction.op == Opcode::LoopBack;
      if (divergent) {
        llvm::Value* const continued = get(slots->other);
        set(active_, ir_.CreateOr(active(), continued));
        set(gone_, without(get(gone_), continued));
        set(slots->other, noLanes());
      }
      const std::uint32_t empty = back ? next : structure_.join(at);
      const std::uint32_t on = back ? instruction.target : next;
      llvm::BasicBlock* const goes = llvm::BasicBlock::Create(module_.getContext(), "", function_);
      if (divergent || constructs_[around].leaves) {
        ir_.CreateCondBr(ir_.CreateIsNotNull(active()), goes, blockAt(empty));
      } else {
        ir_.CreateBr(goes);
      }
      ir_.SetInsertPoint(goes);
      if (back) { chargeBudget(cost_[around], mayBePart(at)); }
      ir_.CreateBr(blockAt(on));
      break;
    }
    case Opcode::EndLoop:
      if (divergent) {
        set(gone_, ir_.CreateOr(get(slots->gone), ir_.CreateOr(get(returned_), get(exited_))));
        set(active_, without(get(slots->entered), get(gone_)));
      }
      goOn();
      break;
    case Opcode::Break:
    case Opcode::Continue:
    case Opcode::Return:
      emitLeave(at);
      break;
    case Opcode::Call:
      if (divergent) {
        set(slots->entered, active());
        set(slots->gone, get(gone_));
        set(slots->other, get(returned_));
        set(returned_, noLanes());
      }
      ir_.CreateBr(blockAt(next));
      break;
    case Opcode::EndCall:
      if (divergent) {
        set(returned_, get(slots->other));
        set(gone_, get(slots->gone));
        set(active_, get(slots->entered));
      }
      goOn();
      break;
    case Opcode::Barrier:
      emitBarrier(at);
      break;
    case Opcode::Trap:
      emitTrap(at);
      break;
    case Opcode::End:
      ir_.CreateRet(ir_.getInt32(static_cast<std::uint32_t>(kEnded)));
      break;
    default:  // fences and barriers of a warp: its lanes are in step, and the blocks in order
      ir_.CreateBr(blockAt(next));
      break;
  }
}

void KernelBuilder::emitLeave(std::uint32_t at) {
  const Opcode op = program_.code[at].op;
  const bool exits = op == Opcode::Return && !structure_.insideCall(at);
  const ConstructId left = exits                    ? 0
                           : op == Opcode::Return   ? constructs_.callOf(at)
                           : op == Opcode::Continue ? constructs_.loopOf(at, true)
                                                    : constructs_.loopOf(at, false);
  if (!exits && !constructs_.divergent(constructs_[left].opener)) {
    ir_.CreateBr(blockAt(op == Opcode::Continue ? flow_.continuesAt(left) : constructs_[left].end - 1));
    return;
  }
  llvm::Value* const leaving = active();
  const auto add = [&](llvm::Value* slot) { ir_.CreateStore(ir_.CreateOr(load(slot, maskType()), leaving), slot); };
  if (exits) { add(exited_); }
  if (op == Opcode::Return && !exits) { add(returned_); }
  if (op == Opcode::Continue) {
    for (ConstructId id = constructs_.around(at); id != left; id = constructs_[id].parent) {
      const auto slots = slots_.find(constructs_[id].opener);
      if (slots != slots_.end()) { add(slots->second.gone); }
    }
    add(slots_.at(constructs_[left].opener).other);
  }
  add(gone_);
  ir_.CreateStore(noLanes(), active_);
  ir_.CreateBr(blockAt(structure_.join(at)));
}

void KernelBuilder::emitTrap(std::uint32_t at) {
  const Instruction& trap = program_.code[at];
  llvm::Value* failing = active();
  if (trap.a != kNone) { failing = ir_.CreateAnd(failing, ir_.CreateNot(maskOf(at, trap.a))); }
  giveUpIf(ir_.CreateIsNotNull(failing));
  ir_.CreateBr(blockAt(at + 1));
}

void KernelBuilder::emitBarrier(std::uint32_t at) {
  const auto live = [&] { return ir_.CreateAnd(existing_, ir_.CreateNot(load(exited_, maskType()))); };
  giveUpIf(ir_.CreateICmpNE(active(), live()));
  if (isOneGroup_) {
    ir_.CreateBr(blockAt(at + 1));
    return;
  }
  const auto number = static_cast<std::uint32_t>(std::ranges::find(barriers_, at) - barriers_.begin());
  saveOrRestore(number, true);
  ir_.CreateRet(ir_.getInt32(number + 1));
  ir_.SetInsertPoint(resumes_[number]);
  saveOrRestore(number, false);
  ir_.CreateStore(live(), active_);
  ir_.CreateBr(blockAt(at + 1));
}

void KernelBuilder::saveOrRestore(std::uint32_t barrier, bool save) {
  std::size_t offset = 0;
  const auto move = [&](llvm::Value* slot, llvm::Type* type) {
    const std::size_t bytes = module_.getDataLayout().getTypeAllocSize(type).getFixedValue();
    offset = type->isVectorTy() ? aligned(offset) : (offset + 7) / 8 * 8;
    llvm::Value* const place = ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), frame_, offset);
    const llvm::Align alignment(type->isVectorTy() ? kVectorAlignment : 8);
    if (save) {
      ir_.CreateAlignedStore(load(slot, type), place, alignment);
    } else {
      ir_.CreateStore(ir_.CreateAlignedLoad(type, place, alignment), slot);
    }
    offset += bytes;
  };
  llvm::Type* const mask = maskType();
  if (mayExit_) { move(exited_, mask); }
  if (mayLeave_) { move(gone_, mask); }
  if (mayReturn_) { move(returned_, mask); }
  for (ConstructId at = constructs_.around(barriers_[barrier]); at != 0; at = constructs_[at].parent) {
    const auto slots = slots_.find(constructs_[at].opener);
    if (slots == slots_.end()) { continue; }
    move(slots->second.entered, mask);
    move(slots->second.gone, mask);
    move(slots->second.other, mask);
  }
  for (ValueId id = 0; id < storage_.size(); ++id) {
    if (storage_[id] != nullptr && live_[barrier][id]) { move(storage_[id], typeOf(shapes_[id])); }
  }
  frameBytes_ = std::max(frameBytes_, aligned(offset));
}

void KernelBuilder::findLive() {
  live_.assign(barriers_.size(), {});
  if (barriers_.empty()) { return; }
  const auto& values = shapes_.values();
  const std::size_t count = program_.code.size();
  std::vector<std::vector<bool>> liveIn(count, std::vector<bool>(values.size(), false));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = count; i-- > 0;) {
      const auto at = static_cast<std::uint32_t>(i);
      std::vector<bool> live(values.size(), false);
      for (const std::uint32_t next : flow_.successors(at)) {
        for (std::size_t id = 0; id < live.size(); ++id) {
          if (liveIn[next][id]) { live[id] = true; }
        }
      }
      const ValueId written = shapes_.writtenBy(at);
      if (written != kNone && !values[written].merges) { live[written] = false; }
      const Instruction& instruction = program_.code[at];
      for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
        if (reg != kNone) { live[shapes_.readBy(at, reg)] = true; }
      }
      if (live != liveIn[at]) {
        liveIn[at] = std::move(live);
        changed = true;
      }
    }
  }
  for (std::size_t i = 0; i < barriers_.size(); ++i) { live_[i] = liveIn[barriers_[i] + 1]; }
}

}  // namespace haloscope::codegen
