#include "host/DeviceParts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/Stmt.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <string>
#include <vector>

namespace haloscope::host {

namespace {

/// The function behind a declaration, also of a template.
clang::FunctionDecl* functionOf(clang::Decl* decl) {
  if (auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) { decl = function->getTemplatedDecl(); }
  return llvm::dyn_cast<clang::FunctionDecl>(decl);
}

/// Begins the name of a variable that keeps what a variable of the device is initialised with.
constexpr llvm::StringLiteral kInitialPrefix = "haloscope_initial_";

/// Skips the bodies of kernels and device functions, then gives them empty ones: without a body Clang emits no function
/// that launches a kernel. A variable of the device is only a name in Clang's host code: it is kept even if only
/// kernels use it, and what it is initialised with becomes a variable of its own, see InitialValues.
class DeviceParts : public clang::ASTConsumer {
 public:
  /// `emitting`: makes the object, and gets the additional variables. `functors`: the host calls the
  /// device's function objects.
  DeviceParts(clang::ASTConsumer& emitting, bool functors) : emitting_(emitting), functors_(functors) {}

  void Initialize(clang::ASTContext& context) override {
    context_ = &context;
    names_.reset(context.createMangleContext());
  }

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    clang::FunctionDecl* function = decl->getAsFunction();
    if (functors_ && function != nullptr && function->hasAttr<clang::CUDADeviceAttr>() &&
        !function->hasAttr<clang::CUDAHostAttr>() && function->getOverloadedOperator() == clang::OO_Call) {
      function->addAttr(clang::CUDAHostAttr::CreateImplicit(*context_));
      return false;
    }
    if (function == nullptr || function->isConstexpr() || function->getReturnType()->isUndeducedType()) {
      return false;
    }
    if (function->hasAttr<clang::CUDAGlobalAttr>()) { return true; }
    return function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAHostAttr>();
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) {
      giveBodies(decl);
      keepVariables(decl);
    }
    return true;
  }

 private:
  void keepVariables(clang::Decl* decl) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) {
      for (clang::Decl* member : llvm::cast<clang::DeclContext>(decl)->decls()) { keepVariables(member); }
    }
    auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const bool onDevice = variable != nullptr &&
                          (variable->hasAttr<clang::CUDADeviceAttr>() || variable->hasAttr<clang::CUDAConstantAttr>());
    if (!onDevice || variable->isInvalidDecl() || variable->getType()->isDependentType() ||
        variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly) {
      return;
    }
    // What uses it is left out.
    variable->addAttr(clang::UsedAttr::CreateImplicit(*context_));
    if (variable->hasInit()) { keepInitialValue(*variable); }
  }

  void keepInitialValue(clang::VarDecl& variable) {
    std::string name = variable.getNameAsString();
    if (names_->shouldMangleDeclName(&variable)) {
      name.clear();
      llvm::raw_string_ostream stream(name);
      names_->mangleName(&variable, stream);
    }
    auto* kept = clang::VarDecl::Create(*context_, context_->getTranslationUnitDecl(), variable.getLocation(),
                                        variable.getLocation(), &context_->Idents.get("haloscope_initial"),
                                        variable.getType(), variable.getTypeSourceInfo(), clang::SC_None);
    kept->setInit(variable.getInit());
    kept->addAttr(clang::AsmLabelAttr::CreateImplicit(*context_, kInitialPrefix.str() + name, true));
    kept->addAttr(clang::UsedAttr::CreateImplicit(*context_));
    emitting_.HandleTopLevelDecl(clang::DeclGroupRef(kept));
  }

  void giveBodies(clang::Decl* decl) {
    if (auto* record = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) { decl = record->getTemplatedDecl(); }
    if (clang::FunctionDecl* function = functionOf(decl)) {
      if (function->hasSkippedBody() && !function->hasBody()) {
        function->setBody(clang::CompoundStmt::CreateEmpty(*context_, 0, false));
        function->setHasSkippedBody(false);
      }
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(decl)) {
      for (clang::Decl* member : llvm::cast<clang::DeclContext>(decl)->decls()) { giveBodies(member); }
    }
  }

  clang::ASTConsumer& emitting_;
  const bool functors_;
  clang::ASTContext* context_ = nullptr;
  std::unique_ptr<clang::MangleContext> names_;
};

/// The kind of a variable that is given to __cudaRegisterVar: not constant, but managed.
constexpr unsigned kKindArgument = 6;
constexpr int kManaged = 2;

void markManaged(llvm::Module& module) {
  const llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr || !annotations->hasInitializer()) { return; }
  for (const llvm::Use& one : annotations->getInitializer()->operands()) {
    const auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(one);
    if (entry == nullptr || entry->getNumOperands() < 2) { continue; }
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    const auto* words = text == nullptr || !text->hasInitializer()
                            ? nullptr
                            : llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
    if (words == nullptr || !words->isCString() || words->getAsCString() != "haloscope_managed") { continue; }
    for (llvm::User* user : entry->getOperand(0)->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call != nullptr && call->getCalledFunction() != nullptr &&
          call->getCalledFunction()->getName() == "__cudaRegisterVar") {
        call->setArgOperand(kKindArgument,
                            llvm::ConstantInt::get(call->getArgOperand(kKindArgument)->getType(), kManaged));
      }
    }
  }
}

void give(llvm::Module& module, llvm::GlobalVariable& from, llvm::GlobalVariable& to) {
  if (from.getValueType() == to.getValueType()) {
    to.setInitializer(from.getInitializer());
    return;
  }
  // An initialiser may have a type of its own, of the same size.
  auto* other = new llvm::GlobalVariable(module, from.getValueType(), false, to.getLinkage(), from.getInitializer());
  other->setAlignment(to.getAlign());
  other->takeName(&to);
  to.replaceAllUsesWith(other);
  to.eraseFromParent();
}

}  // namespace

std::unique_ptr<clang::ASTConsumer> withoutDeviceCode(clang::ASTConsumer& emitting, bool functors) {
  return std::make_unique<DeviceParts>(emitting, functors);
}

llvm::PreservedAnalyses InitialValues::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::vector<llvm::GlobalVariable*> kept;
  for (llvm::GlobalVariable& one : module.globals()) {
    if (one.getName().starts_with(kInitialPrefix)) { kept.push_back(&one); }
  }
  llvm::removeFromUsedLists(module, [](llvm::Constant* one) { return one->getName().starts_with(kInitialPrefix); });
  for (llvm::GlobalVariable* from : kept) {
    llvm::GlobalVariable* to = module.getNamedGlobal(from->getName().drop_front(kInitialPrefix.size()));
    if (to != nullptr && from->hasInitializer()) { give(module, *from, *to); }
    from->eraseFromParent();
  }
  markManaged(module);
  return llvm::PreservedAnalyses::none();
}

}  // namespace haloscope::host
