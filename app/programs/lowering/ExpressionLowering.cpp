#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Values of expressions. Clang has already made every conversion of C++ explicit, so each node is one operation.
// Operators and constants are in OperatorLowering.cpp and ConstantLowering.cpp.

namespace haloscope::lowering {

Scalar KernelLowering::keep(Scalar value, const clang::Expr* other) {
  if (builder_.program().registers[value.reg].kind != RegisterKind::Variable) return value;
  return other->HasSideEffects(context_) ? builder_.copy(value, range(other)) : value;
}

Scalar KernelLowering::scalar(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto constant = constantValue(expression)) return *constant;
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression)) return cast(node);
  if (const auto* node = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) return scalar(node->getSubExpr());
  if (expression->isGLValue()) {
    if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) return conditional(node).at(0);
    // The assigned value is known: `a = tile[i] = b` reads no element, and evaluates its index once.
    if (const auto done = assigned(expression)) return done->values.at(0);
    return read(place(expression), expression->getType(), expression).at(0);
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary(node);
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression)) return binary(node);
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) return conditional(node).at(0);
  if (const auto* node = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const Parts values = call(node).values;
    if (values.size() != 1) refuse(node, tr("a value from this call"));
    return values[0];
  }
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return scalar(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression)) return scalar(node->getExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression)) return scalar(node->getExpr());
  if (const auto* node = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression)) {
    return scalar(node->getReplacement());
  }
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expression)) {
    return zeros(expression->getType(), expression->getSourceRange()).at(0);
  }
  if (const auto* node = llvm::dyn_cast<clang::InitListExpr>(expression)) {
    if (node->getNumInits() == 1) return scalar(node->getInit(0));
    return zeros(node->getType(), node->getSourceRange()).at(0);
  }
  if (const auto* node = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    return read(memberPlace(node), node->getType(), node).at(0);
  }
  refuse(expression);
}

Parts KernelLowering::parts(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (isScalar(expression->getType())) return {scalar(expression)};
  if (expression->getType()->isVoidType()) {
    discard(expression);
    return {};
  }
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression);
      node != nullptr && node->getCastKind() == clang::CK_NoOp) {
    return parts(node->getSubExpr());  // copying `c ? a : b` makes it constant
  }
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) return conditional(node);
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return parts(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression)) return parts(node->getExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression)) return parts(node->getExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) return parts(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::LambdaExpr>(expression)) {
    createClosure(node);
    return {};
  }
  if (const auto* node = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) return parts(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
      node != nullptr && node->getOperator() == clang::OO_Equal) {
    CallResult result = call(node);  // `a = b = c` with structs: the assigned value is known
    if (!result.values.empty()) return std::move(result.values);
    if (result.place) return read(*result.place, expression->getType(), expression);
    refuse(node, tr("a value from this assignment"));
  }
  if (expression->isGLValue()) return read(place(expression), expression->getType(), expression);
  if (const auto* node = llvm::dyn_cast<clang::CallExpr>(expression)) return call(node).values;
  if (const auto* node = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) return construction(node);
  if (const auto* node = llvm::dyn_cast<clang::InitListExpr>(expression)) return initializerList(node);
  if (llvm::isa<clang::ImplicitValueInitExpr>(expression)) {
    return zeros(expression->getType(), expression->getSourceRange());
  }
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr* inner = node->getSubExpr();
    switch (node->getCastKind()) {
      case clang::CK_LValueToRValue:
      case clang::CK_ConstructorConversion:
      case clang::CK_UserDefinedConversion:
        return parts(inner);
      default:
        refuse(node, tr("this conversion of a struct"));
    }
  }
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression);
      node != nullptr && node->getOpcode() == clang::BO_Comma) {
    discard(node->getLHS());
    return parts(node->getRHS());
  }
  refuse(expression);
}

Parts KernelLowering::initializerList(const clang::InitListExpr* list) {
  if (list->isTransparent()) return parts(list->getInit(0));
  Parts values;
  const auto append = [&](const clang::Expr* initializer) {
    for (const Scalar value : parts(initializer)) { values.push_back(value); }
  };
  if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(list->getType())) {
    const std::uint64_t count = array->getSize().getLimitedValue();
    if (count > TypeLayout::kMaxLeaves) refuse(list, tr("array of this size in a struct"));
    for (std::uint64_t i = 0; i < count; ++i) {
      append(i < list->getNumInits() ? list->getInit(static_cast<unsigned>(i)) : list->getArrayFiller());
    }
    return values;
  }
  for (const clang::Expr* initializer : list->inits()) { append(initializer); }
  if (values.size() != leaves(list->getType(), list->getSourceRange()).size())
    refuse(list, tr("this initialiser list"));
  return values;
}

Scalar KernelLowering::cast(const clang::CastExpr* expression) {
  const clang::Expr* inner = expression->getSubExpr();
  const SourceRange where = range(expression);
  switch (expression->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_AddressSpaceConversion:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return scalar(inner);
    case clang::CK_BitCast:
      if (!inner->getType()->isPointerType()) break;
      return scalar(inner);
    case clang::CK_LValueBitCast:
      return read(place(expression), expression->getType(), expression).at(0);
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingCast:
    case clang::CK_BooleanToSignedIntegral: {
      const auto* implicit = llvm::dyn_cast<clang::ImplicitCastExpr>(expression);
      const bool asked = implicit == nullptr || implicit->isPartOfExplicitCast();
      return builder_.convert(scalar(inner), scalarType(expression->getType(), expression->getSourceRange()), where,
                              asked);
    }
    case clang::CK_IntegralToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_PointerToBoolean:
      // `assert(i < n && "too many")`
      if (llvm::isa<clang::StringLiteral>(inner->IgnoreParenImpCasts())) return builder_.constant(ValueType::Bool, 1);
      return builder_.toBool(scalar(inner), where);
    case clang::CK_NullToPointer:
      return builder_.constant(ValueType::Pointer, PackedPointer::kNull);
    case clang::CK_ArrayToPointerDecay:
      return addressOf(inner);
    case clang::CK_PointerToIntegral: {
      // The distance from nullptr: its low bits give the alignment, for which such code is written.
      const Scalar null = builder_.constant(ValueType::Pointer, PackedPointer::kNull);
      const Scalar number = builder_.difference(scalar(inner), null, 1, where);
      return builder_.convert(number, scalarType(expression->getType(), expression->getSourceRange()), where);
    }
    case clang::CK_FunctionToPointerDecay:
      refuse(expression, tr("pointer to a function"));
    default:
      break;
  }
  refuse(expression, std::string(tr("conversion (")) + expression->getCastKindName() + ")");
}

Parts KernelLowering::construction(const clang::CXXConstructExpr* expression) {
  const clang::CXXConstructorDecl* constructor = expression->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial()) return parts(expression->getArg(0));
  if (constructor->isDefaultConstructor() && constructor->isTrivial()) {
    return zeros(expression->getType(), expression->getSourceRange());
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!constructor->hasBody(definition)) refuse(expression, tr("this constructor"));
  Place object;
  for (const TypeLayout::Leaf& leaf : leaves(expression->getType(), expression->getSourceRange())) {
    object.registers.push_back(builder_.temporary(leaf.type));
  }
  if (object.registers.empty()) return {};
  const std::vector<const clang::Expr*> arguments(expression->arg_begin(), expression->arg_end());
  inlineFunction(*definition, evaluateArguments(*definition, arguments), object, expression);
  return object.registers;
}

void KernelLowering::discard(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return discard(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const bool dropped = node->getCastKind() == clang::CK_ToVoid || node->getCastKind() == clang::CK_NoOp ||
                         node->getCastKind() == clang::CK_LValueToRValue;
    if (dropped) return discard(node->getSubExpr());
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression); node && node->isIncrementDecrementOp()) {
    increment(node, /*wantsOld=*/false);
    return;
  }
  if (assigned(expression)) return;
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression);
      node != nullptr && node->getOpcode() == clang::BO_Comma) {
    discard(node->getLHS());
    discard(node->getRHS());
    return;
  }
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression); node && node->isPRValue()) {
    conditional(node);
    return;
  }
  if (const auto* node = llvm::dyn_cast<clang::CallExpr>(expression)) {
    call(node);
    return;
  }
  if (!expression->HasSideEffects(context_)) return;
  if (expression->isGLValue()) {
    place(expression);
  } else {
    parts(expression);
  }
}

}  // namespace haloscope::lowering
