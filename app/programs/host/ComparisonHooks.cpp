#include "host/ComparisonHooks.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <vector>

namespace haloscope::host {

namespace {

/// A value that is loaded, and then perhaps made wider, or a number of another type.
struct Loaded {
  llvm::LoadInst* load = nullptr;
  std::vector<llvm::Instruction*> casts;  ///< the last one first
};

bool isComparedNumber(const llvm::Type* type) {
  return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(8) || type->isIntegerTy(16) ||
         type->isIntegerTy(32) || type->isIntegerTy(64);
}

std::optional<Loaded> loadedIn(llvm::Value* value) {
  Loaded loaded;
  while (auto* const one = llvm::dyn_cast<llvm::Instruction>(value)) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(one)) {
      if (!load->isSimple() || !isComparedNumber(load->getType())) { return std::nullopt; }
      loaded.load = load;
      return loaded;
    }
    switch (one->getOpcode()) {
      case llvm::Instruction::FPExt:
      case llvm::Instruction::FPTrunc:
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SIToFP:
      case llvm::Instruction::UIToFP:
        loaded.casts.push_back(one);
        value = one->getOperand(0);
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Equality and differences: an order says on which side of a bound a value is, not what it should be.
bool isComparison(const llvm::Instruction& one) {
  switch (one.getOpcode()) {
    case llvm::Instruction::FSub:
    case llvm::Instruction::Sub:
      return isComparedNumber(one.getType());
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp: {
      const auto predicate = llvm::cast<llvm::CmpInst>(one).getPredicate();
      return isComparedNumber(one.getOperand(0)->getType()) &&
             (predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE ||
              predicate == llvm::CmpInst::FCMP_OEQ || predicate == llvm::CmpInst::FCMP_UEQ ||
              predicate == llvm::CmpInst::FCMP_ONE || predicate == llvm::CmpInst::FCMP_UNE);
    }
    default:
      return false;
  }
}

class ComparisonHookInserter {
 public:
  explicit ComparisonHookInserter(llvm::Module& module) : module_(module) {
    llvm::LLVMContext& context = module.getContext();
    bits_ = llvm::Type::getInt64Ty(context);
    auto* const pointer = llvm::PointerType::getUnqual(context);
    hook_ = module.getOrInsertFunction("haloscope_compared", bits_, pointer, pointer, bits_, bits_,
                                       llvm::Type::getInt32Ty(context));
  }

  void hook(llvm::Instruction& one) {
    llvm::Value* const operands[2] = {one.getOperand(0), one.getOperand(1)};
    const std::optional<Loaded> loads[2] = {loadedIn(operands[0]), loadedIn(operands[1])};
    for (const unsigned side : {0U, 1U}) {
      llvm::Value* const with = operands[1 - side];
      if (!loads[side] || llvm::isa<llvm::Constant>(with) || with == operands[side]) { continue; }
      llvm::IRBuilder<> builder(&one);
      const auto& other = loads[1 - side];
      one.setOperand(side, taken(builder, *loads[side], with, other ? other->load->getPointerOperand() : nullptr));
    }
  }

 private:
  llvm::Value* taken(llvm::IRBuilder<>& builder, const Loaded& own, llvm::Value* with, llvm::Value* other) {
    llvm::Type* const type = own.load->getType();
    llvm::Type* const asBits = llvm::Type::getIntNTy(module_.getContext(), type->getScalarSizeInBits());
    const auto bitsOf = [&](llvm::Value* value) {
      return builder.CreateZExt(builder.CreateBitCast(value, asBits), bits_);
    };
    llvm::Value* const pointer = own.load->getPointerOperand();
    llvm::Value* const call = builder.CreateCall(
        hook_, {pointer, other != nullptr ? other : llvm::Constant::getNullValue(pointer->getType()), bitsOf(own.load),
                bitsOf(converted(builder, with, type)), builder.getInt32(type->getScalarSizeInBits() / 8)});
    llvm::Value* value = builder.CreateBitCast(builder.CreateTrunc(call, asBits), type);
    for (auto cast = own.casts.rbegin(); cast != own.casts.rend(); ++cast) {
      llvm::Instruction* const again = (*cast)->clone();
      again->setOperand(0, value);
      value = builder.Insert(again);
    }
    return value;
  }

  static llvm::Value* converted(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
    if (type->isFloatingPointTy()) {
      return value->getType()->isFloatingPointTy() ? builder.CreateFPCast(value, type)
                                                   : builder.CreateSIToFP(value, type);
    }
    if (value->getType()->isFloatingPointTy()) {
      return builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {type, value->getType()}, {value});
    }
    return builder.CreateSExtOrTrunc(value, type);
  }

  llvm::Module& module_;
  llvm::Type* bits_ = nullptr;
  llvm::FunctionCallee hook_;
};

}  // namespace

llvm::PreservedAnalyses ComparisonHooks::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::vector<llvm::Instruction*> all;
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& one : block) {
        if (isComparison(one)) { all.push_back(&one); }
      }
    }
  }
  ComparisonHookInserter inserter(module);
  for (llvm::Instruction* const one : all) { inserter.hook(*one); }
  return llvm::PreservedAnalyses::none();
}

}  // namespace haloscope::host
