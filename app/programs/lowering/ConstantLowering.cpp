#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Constants: literals, what Clang can evaluate, and the initialisers of constant memory.

namespace haloscope::lowering {

namespace {

/// The value's low 64 bits: an unsigned one may be beyond what getExtValue() accepts.
std::uint64_t low64(const llvm::APSInt& value) { return value.extOrTrunc(64).getZExtValue(); }

}  // namespace

Scalar KernelLowering::constantInteger(clang::QualType type, const llvm::APSInt& value,
                                       const clang::SourceRange& where) {
  return builder_.constant(scalarType(type, where), low64(value));
}

Scalar KernelLowering::constantFloat(ValueType type, const llvm::APFloat& value) {
  return builder_.constant(type, value.bitcastToAPInt().getZExtValue());
}

std::optional<Scalar> KernelLowering::constantValue(const clang::Expr* expression) {
  const clang::SourceRange where = expression->getSourceRange();
  const clang::QualType type = expression->getType();
  if (const auto* node = llvm::dyn_cast<clang::IntegerLiteral>(expression)) {
    return constantInteger(type, llvm::APSInt(node->getValue(), !type->isSignedIntegerType()), where);
  }
  if (const auto* node = llvm::dyn_cast<clang::FloatingLiteral>(expression)) {
    return constantFloat(scalarType(type, where), node->getValue());
  }
  if (const auto* node = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(expression)) {
    return builder_.constant(ValueType::Bool, node->getValue() ? 1 : 0);
  }
  if (const auto* node = llvm::dyn_cast<clang::CharacterLiteral>(expression)) {
    return builder_.constant(scalarType(type, where), node->getValue());
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(expression)) {
    return builder_.constant(ValueType::Pointer, PackedPointer::kNull);
  }
  if (const auto* node = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* value = llvm::dyn_cast<clang::EnumConstantDecl>(node->getDecl())) {
      return constantInteger(type, value->getInitVal(), where);
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(node->getDecl());
    return variable == nullptr ? std::nullopt : constantVariable(variable, expression);
  }
  const bool computed = llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::CXXNoexceptExpr,
                                  clang::SizeOfPackExpr, clang::OffsetOfExpr>(expression);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  const bool constexprCall = call != nullptr && call->getDirectCallee() != nullptr &&
                             call->getDirectCallee()->isConstexpr() && isScalar(type) && !type->isPointerType();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
  const bool staticMember = member != nullptr && llvm::isa<clang::VarDecl>(member->getMemberDecl());
  if (staticMember) return constantVariable(llvm::cast<clang::VarDecl>(member->getMemberDecl()), expression);
  if (!computed && !constexprCall) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, context_) || result.HasSideEffects) return std::nullopt;
  if (result.Val.isInt()) return constantInteger(type, result.Val.getInt(), where);
  if (result.Val.isFloat()) return constantFloat(scalarType(type, where), result.Val.getFloat());
  return std::nullopt;
}

std::optional<Scalar> KernelLowering::constantVariable(const clang::VarDecl* variable, const clang::Expr* at) {
  const clang::QualType type = variable->getType();
  const bool fixed = type.isConstQualified() && !type.isVolatileQualified() && isScalar(type) &&
                     !type->isPointerType() && variable->getAnyInitializer() != nullptr;
  if (!fixed || llvm::isa<clang::ParmVarDecl>(variable)) return std::nullopt;
  // Constants that the text places in constant memory are read from there.
  const auto* inConstantMemory = variable->getAttr<clang::CUDAConstantAttr>();
  if (inConstantMemory != nullptr && !inConstantMemory->isImplicit()) return std::nullopt;
  const bool global = variable->hasGlobalStorage();
  if (!global && !variable->isUsableInConstantExpressions(context_)) return std::nullopt;
  const clang::APValue* value = evaluated(variable);
  if (value == nullptr) return std::nullopt;
  if (value->isInt()) return constantInteger(type, value->getInt(), at->getSourceRange());
  if (value->isFloat()) return constantFloat(scalarType(type, at->getSourceRange()), value->getFloat());
  return std::nullopt;
}

Parts KernelLowering::zeros(clang::QualType type, const clang::SourceRange& where) {
  Parts values;
  for (const TypeLayout::Leaf& leaf : leaves(type, where)) {
    values.push_back(
        builder_.constant(leaf.type, leaf.type == ValueType::Pointer ? PackedPointer::kNull : std::uint64_t{0}));
  }
  return values;
}

const clang::APValue* KernelLowering::evaluated(const clang::VarDecl* variable) {
  const clang::VarDecl* initialized = nullptr;
  const clang::Expr* initializer = variable->getAnyInitializer(initialized);
  // An initialiser with an error (tolerated in host variables) has no value.
  const bool sound = initializer != nullptr && !initializer->isValueDependent() && !initializer->containsErrors();
  return sound ? initialized->evaluateValue() : nullptr;
}

void KernelLowering::flatten(const clang::APValue& value, clang::QualType type, const clang::VarDecl* variable,
                             std::vector<std::uint64_t>& bits) {
  if (value.isInt()) {
    bits.push_back(low64(value.getInt()));
  } else if (value.isFloat()) {
    bits.push_back(value.getFloat().bitcastToAPInt().getZExtValue());
  } else if (value.isArray()) {
    const clang::QualType element = context_.getAsArrayType(type)->getElementType();
    const unsigned given = value.getArrayInitializedElts();
    for (unsigned i = 0; i < value.getArraySize(); ++i) {
      flatten(i < given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), element, variable, bits);
    }
  } else if (value.isStruct()) {
    for (const clang::FieldDecl* field : type->getAsRecordDecl()->fields()) {
      flatten(value.getStructField(field->getFieldIndex()), field->getType(), variable, bits);
    }
  } else {
    refuse(variable->getSourceRange(), tr("this initialiser of '") + variable->getNameAsString() + "'");
  }
}

std::vector<std::uint64_t> KernelLowering::initialBits(const clang::VarDecl* variable) {
  const clang::Expr* initializer = variable->getAnyInitializer();
  if (initializer == nullptr) return {};
  // A struct's implicit default constructor is not an initialiser of the text.
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(initializer->IgnoreImplicit());
      construct != nullptr && construct->getConstructor()->isTrivial() && construct->getNumArgs() == 0) {
    return {};
  }
  const clang::APValue* value = evaluated(variable);
  if (value == nullptr) refuse(variable->getSourceRange(), tr("initialiser that is not a constant"));
  std::vector<std::uint64_t> bits;
  flatten(*value, variable->getType(), variable, bits);
  return bits;
}

std::vector<std::uint64_t> KernelLowering::inWords(const MemoryObject& object, std::vector<std::uint64_t> scalars) {
  if (object.members.empty() || scalars.empty()) return scalars;
  const int word = sizeInMemory(object.element);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(object.elementCount()));
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const StructMember& member = object.members[i % object.members.size()];
    const auto structure = static_cast<std::int64_t>(i / object.members.size());
    const std::int64_t first = (structure * object.structBytes + member.byteOffset) / word;
    for (int part = 0; part * word < sizeInMemory(member.type); ++part) {
      words.at(static_cast<std::size_t>(first + part)) =
          word == 8 ? scalars[i] : scalars[i] >> (8 * word * part) & ((std::uint64_t{1} << (8 * word)) - 1);
    }
  }
  return words;
}

void KernelLowering::checkConstantMemory(const clang::DeclContext* declarations) {
  for (const clang::Decl* declaration : declarations->decls()) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      checkConstantMemory(llvm::cast<clang::DeclContext>(declaration));
      continue;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const auto* attribute = variable == nullptr ? nullptr : variable->getAttr<clang::CUDAConstantAttr>();
    const bool placed = attribute != nullptr && !attribute->isImplicit() && !variable->isInvalidDecl() &&
                        variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly &&
                        !variable->getType()->isDependentType() && !variable->getType()->isIncompleteType();
    // A static one that nothing uses is left out.
    if (!placed || (!variable->isExternallyVisible() && !variable->isReferenced())) continue;
    const std::int64_t alignment = context_.getDeclAlign(variable).getQuantity();
    const std::int64_t bytes = types_.bytes(variable->getType());
    constantBytes_ = (constantBytes_ + alignment - 1) / alignment * alignment + bytes;
    if (constantBytes_ <= kMaxConstantBytes) continue;
    const SourceRange where = session_.range(variable->getSourceRange());
    const std::string name = "'" + variable->getNameAsString() + tr("' takes ") + std::to_string(bytes) + tr(" bytes");
    const std::string most = std::to_string(kMaxConstantBytes);
    throw LoweringError(where, bytes > kMaxConstantBytes
                                   ? name + tr("; at most ") + most + tr(" fit into Constant memory")
                                   : name + tr(", and the __constant__ variables of this file ") +
                                         std::to_string(constantBytes_) + tr("; at most ") + most +
                                         tr(" fit into constant memory, and nvcc refuses more"));
  }
}

void KernelLowering::checkHostTable(const clang::ArraySubscriptExpr* expression) const {
  const clang::Expr* base = expression->getBase()->IgnoreParenImpCasts();
  while (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
    base = row->getBase()->IgnoreParenImpCasts();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(base);
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || !variable->hasGlobalStorage() || variable->isLocalVarDecl()) return;
  const auto isExplicit = [](const clang::InheritableAttr* attribute) {
    return attribute != nullptr && !attribute->isImplicit();
  };
  const bool ofDevice = isExplicit(variable->getAttr<clang::CUDAConstantAttr>()) ||
                        isExplicit(variable->getAttr<clang::CUDADeviceAttr>()) ||
                        variable->hasAttr<clang::CUDASharedAttr>();
  if (ofDevice || !session_.inUserText(variable->getLocation()) || !isConstantTable(variable)) return;
  // What the compiler evaluates needs no variable on the device; nor does a constexpr function that it makes one of
  // the device's on its own.
  const clang::FunctionDecl* function = frame().function;
  const bool asked =
      function->hasAttr<clang::CUDAGlobalAttr>() || isExplicit(function->getAttr<clang::CUDADeviceAttr>());
  if (!asked || expression->getIdx()->isCXX11ConstantExpr(context_)) return;
  throw LoweringError(range(expression),
                      "'" + variable->getNameAsString() +
                          tr("' is an array of the host, and nvcc refuses it where its index is not a "
                             "constant: declare it __constant__ or __device__ constexpr"));
}

bool KernelLowering::isConstantTable(const clang::VarDecl* variable) const {
  const bool constant = variable->isConstexpr() || context_.getBaseElementType(variable->getType()).isConstQualified();
  return constant && variable->getType()->isConstantArrayType() && variable->hasInit() &&
         evaluated(variable) != nullptr;
}

}  // namespace haloscope::lowering
