#include "host/FunctionHooks.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "host/HostFunction.h"
#include "host/HostProgram.h"

namespace haloscope::host {

namespace {

/// The type of a number; none of any other.
std::optional<ValueType> numberType(clang::QualType given) {
  clang::QualType type = given.getCanonicalType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>()) { type = enumeration->getDecl()->getIntegerType(); }
  const auto* builtin = type.isNull() ? nullptr : type->getAs<clang::BuiltinType>();
  if (builtin == nullptr) { return std::nullopt; }
  switch (builtin->getKind()) {
    case clang::BuiltinType::Bool:
      return ValueType::Bool;
    case clang::BuiltinType::Char_S:
    case clang::BuiltinType::SChar:
      return ValueType::I8;
    case clang::BuiltinType::Char_U:
    case clang::BuiltinType::UChar:
      return ValueType::U8;
    case clang::BuiltinType::Short:
      return ValueType::I16;
    case clang::BuiltinType::UShort:
      return ValueType::U16;
    case clang::BuiltinType::Int:
      return ValueType::I32;
    case clang::BuiltinType::UInt:
      return ValueType::U32;
    case clang::BuiltinType::Long:
    case clang::BuiltinType::LongLong:
      return ValueType::I64;
    case clang::BuiltinType::ULong:
    case clang::BuiltinType::ULongLong:
      return ValueType::U64;
    case clang::BuiltinType::Float:
      return ValueType::F32;
    case clang::BuiltinType::Double:
      return ValueType::F64;
    default:
      return std::nullopt;
  }
}

/// The elements of a std::vector of numbers with the usual allocator.
std::optional<ValueType> vectorElement(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || !record->isInStdNamespace() || record->getName() != "vector") { return std::nullopt; }
  const clang::TemplateArgument& element = record->getTemplateArgs().get(0);
  if (element.getKind() != clang::TemplateArgument::Type) { return std::nullopt; }
  const auto number = numberType(element.getAsType());
  return number == ValueType::Bool ? std::nullopt : number;
}

std::optional<HostParameter> parameterOf(const std::string& name, clang::QualType type) {
  using Form = HostParameter::Form;
  if (const auto number = numberType(type)) { return HostParameter{name, Form::Number, *number, false}; }
  const bool reference = type->isLValueReferenceType();
  const clang::QualType object = type.getNonReferenceType();
  if (const auto element = vectorElement(object)) {
    return HostParameter{name, Form::Vector, *element, reference && !object.isConstQualified()};
  }
  if (reference || !object->isPointerType()) { return std::nullopt; }
  clang::QualType element = object->getPointeeType();
  while (const auto* rows = element->getAsArrayTypeUnsafe()) { element = rows->getElementType(); }
  const auto number = numberType(element);
  if (!number) { return std::nullopt; }
  return HostParameter{name, Form::Array, *number, !element.isConstQualified()};
}

bool hasLoop(const clang::Stmt* statement) {
  if (statement == nullptr) { return false; }
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement)) { return true; }
  return std::ranges::any_of(statement->children(), hasLoop);
}

class FunctionVisitor : public clang::RecursiveASTVisitor<FunctionVisitor> {
 public:
  FunctionVisitor(clang::ASTContext& context, WatchedFunctions& found)
      : sources_(context.getSourceManager()), names_(context.createMangleContext()), found_(found) {}

  [[nodiscard]] static bool shouldVisitTemplateInstantiations() { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (const auto known = described(*function)) {
      std::string name = function->getNameAsString();
      if (names_->shouldMangleDeclName(function)) {
        name.clear();
        llvm::raw_string_ostream stream(name);
        names_->mangleName(clang::GlobalDecl(function), stream);
      }
      found_[name] = textOf(*known);
    }
    return true;
  }

  [[nodiscard]] bool isOfProgram(const clang::Decl& decl) const {
    const clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(decl.getLocation()));
    return place.isValid() && llvm::StringRef(place.getFilename()).starts_with(kProgramFolder);
  }

 private:
  [[nodiscard]] std::optional<HostFunction> described(const clang::FunctionDecl& function) const {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    const bool onDevice = function.hasAttr<clang::CUDAGlobalAttr>() ||
                          (function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAHostAttr>());
    if (!function.doesThisDeclarationHaveABody() || function.isDependentContext() || function.isMain() || onDevice ||
        (method != nullptr && method->isInstance()) || function.isVariadic() || !isOfProgram(function) ||
        !hasLoop(function.getBody())) {
      return std::nullopt;
    }
    const clang::PresumedLoc place = sources_.getPresumedLoc(sources_.getExpansionLoc(function.getLocation()));
    HostFunction described{
        .name = function.getQualifiedNameAsString(),
        .at = {.file = llvm::StringRef(place.getFilename()).drop_front(std::strlen(kProgramFolder)).str(),
               .line = static_cast<int>(place.getLine())}};
    for (const clang::ParmVarDecl* one : function.parameters()) {
      auto parameter = parameterOf(one->getNameAsString(), one->getType());
      if (!parameter) { return std::nullopt; }
      described.parameters.push_back(std::move(*parameter));
    }
    if (const auto element = vectorElement(function.getReturnType())) {
      described.returnsVector = true;
      described.parameters.push_back({"its result", HostParameter::Form::Vector, *element, true});
    } else if (!function.getReturnType()->isVoidType() && !numberType(function.getReturnType())) {
      return std::nullopt;
    }
    return std::ranges::any_of(described.parameters, &HostParameter::written) ? std::optional(described) : std::nullopt;
  }

  clang::SourceManager& sources_;
  std::unique_ptr<clang::MangleContext> names_;
  WatchedFunctions& found_;
};

class HookInserter {
 public:
  explicit HookInserter(llvm::Module& module)
      : module_(module),
        number_(llvm::Type::getInt64Ty(module.getContext())),
        pointer_(llvm::PointerType::getUnqual(module.getContext())) {
    auto* const nothing = llvm::Type::getVoidTy(module.getContext());
    enter_ = module.getOrInsertFunction("haloscope_enter", nothing, pointer_, pointer_, pointer_);
    leave_ = module.getOrInsertFunction("haloscope_leave", nothing, pointer_);
  }

  void hook(llvm::Function& function, const std::string& description) {
    // A frame of its own tells a call within another one from the next one.
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    llvm::Function& again = callerOf(function);
    std::vector<llvm::ReturnInst*> returns;
    for (llvm::BasicBlock& block : function) {
      if (auto* one = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) { returns.push_back(one); }
    }
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    auto* const arguments = builder.CreateAlloca(llvm::ArrayType::get(number_, function.arg_size()));
    for (llvm::Argument& one : function.args()) {
      builder.CreateStore(asNumber(builder, &one), slot(builder, arguments, one.getArgNo()));
    }
    builder.CreateCall(enter_, {builder.CreateGlobalString(description), arguments, &again});
    for (llvm::ReturnInst* one : returns) { llvm::IRBuilder<>(one).CreateCall(leave_, {arguments}); }
  }

  /// Whether each argument is a number or an address, `count` in all.
  static bool isPlain(const llvm::Function& function, std::size_t count) {
    return function.arg_size() == count && std::ranges::all_of(function.args(), [](const llvm::Argument& one) {
             const llvm::Type* type = one.getType();
             return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
                    (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
           });
  }

 private:
  llvm::Value* slot(llvm::IRBuilder<>& builder, llvm::Value* arguments, unsigned index) {
    return builder.CreateConstInBoundsGEP1_64(number_, arguments, index);
  }
  llvm::Type* bitsOf(llvm::Type* type) {
    return llvm::Type::getIntNTy(module_.getContext(), type->isDoubleTy() ? 64 : 32);
  }
  llvm::Value* asNumber(llvm::IRBuilder<>& builder, llvm::Value* value) {
    if (value->getType()->isPointerTy()) { return builder.CreatePtrToInt(value, number_); }
    if (value->getType()->isFloatingPointTy()) { value = builder.CreateBitCast(value, bitsOf(value->getType())); }
    return builder.CreateZExt(value, number_);
  }
  llvm::Value* fromNumber(llvm::IRBuilder<>& builder, llvm::Value* number, llvm::Type* type) {
    if (type->isPointerTy()) { return builder.CreateIntToPtr(number, type); }
    if (!type->isFloatingPointTy()) { return builder.CreateTrunc(number, type); }
    return builder.CreateBitCast(builder.CreateTrunc(number, bitsOf(type)), type);
  }

  llvm::Function& callerOf(llvm::Function& function) {
    auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), {pointer_}, false);
    auto* const caller = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "haloscope_again", module_);
    caller->addFnAttr(llvm::Attribute::getWithUWTableKind(module_.getContext(), llvm::UWTableKind::Default));
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", caller));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& one : function.args()) {
      auto* const number = builder.CreateLoad(number_, slot(builder, caller->getArg(0), one.getArgNo()));
      arguments.push_back(fromNumber(builder, number, one.getType()));
    }
    llvm::CallInst* const call = builder.CreateCall(&function, arguments);
    call->setCallingConv(function.getCallingConv());
    call->setAttributes(function.getAttributes());
    builder.CreateRetVoid();
    return *caller;
  }

  llvm::Module& module_;
  llvm::Type* number_;
  llvm::PointerType* pointer_;
  llvm::FunctionCallee enter_, leave_;
};

}  // namespace

void FunctionCollector::HandleTranslationUnit(clang::ASTContext& context) {
  FunctionVisitor visitor(context, found_);
  // Not what library headers declare: that takes long, and is nothing of the program's.
  for (clang::Decl* decl : context.getTranslationUnitDecl()->decls()) {
    if (visitor.isOfProgram(*decl)) { visitor.TraverseDecl(decl); }
  }
}

llvm::PreservedAnalyses FunctionHooks::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::optional<HookInserter> inserter;
  for (const auto& [name, description] : *watched_) {
    llvm::Function* const function = module.getFunction(name);
    if (function == nullptr || function->isDeclaration() ||
        !HookInserter::isPlain(*function, functionIn(description).parameters.size())) {
      continue;
    }
    if (!inserter) { inserter.emplace(module); }
    inserter->hook(*function, description);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace haloscope::host
