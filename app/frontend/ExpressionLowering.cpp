#include <algorithm>

#include <clang/AST/ASTContext.h>

#include "frontend/KernelLowering.h"
#include "frontend/LoweringError.h"

// Values of expressions. Clang has already made every conversion of C++ explicit, so each node is one operation.

namespace haloscope::frontend {

namespace {

std::optional<Opcode> arithmetic(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Mul:
    case clang::BO_MulAssign:
      return Opcode::Mul;
    case clang::BO_Div:
    case clang::BO_DivAssign:
      return Opcode::Div;
    case clang::BO_Rem:
    case clang::BO_RemAssign:
      return Opcode::Rem;
    case clang::BO_Add:
    case clang::BO_AddAssign:
      return Opcode::Add;
    case clang::BO_Sub:
    case clang::BO_SubAssign:
      return Opcode::Sub;
    case clang::BO_Shl:
    case clang::BO_ShlAssign:
      return Opcode::Shl;
    case clang::BO_Shr:
    case clang::BO_ShrAssign:
      return Opcode::Shr;
    case clang::BO_And:
    case clang::BO_AndAssign:
      return Opcode::And;
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return Opcode::Or;
    case clang::BO_Xor:
    case clang::BO_XorAssign:
      return Opcode::Xor;
    case clang::BO_LT:
      return Opcode::Less;
    case clang::BO_LE:
      return Opcode::LessEqual;
    case clang::BO_GT:
      return Opcode::Greater;
    case clang::BO_GE:
      return Opcode::GreaterEqual;
    case clang::BO_EQ:
      return Opcode::Equal;
    case clang::BO_NE:
      return Opcode::NotEqual;
    default:
      return std::nullopt;
  }
}

}  // namespace

Scalar KernelLowering::constantInteger(clang::QualType type, const llvm::APSInt& value,
                                       const clang::SourceRange& where) {
  return builder_.constant(scalarType(type, where), static_cast<std::uint64_t>(value.getExtValue()));
}

Scalar KernelLowering::constantFloat(ValueType type, const llvm::APFloat& value) {
  return builder_.constant(type, value.bitcastToAPInt().getZExtValue());
}

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
    return read(place(expression), expression->getType(), expression).at(0);
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary(node);
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression)) return binary(node);
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) return conditional(node).at(0);
  if (const auto* node = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const Parts values = call(node).values;
    if (values.size() != 1) refuse(node, "a value from this call");
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
  // What the text puts into constant memory is read from there.
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

Parts KernelLowering::parts(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (isScalar(expression->getType())) return {scalar(expression)};
  if (expression->getType()->isVoidType()) {
    discard(expression);
    return {};
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
      case clang::CK_NoOp:
      case clang::CK_LValueToRValue:
      case clang::CK_ConstructorConversion:
      case clang::CK_UserDefinedConversion:
        return parts(inner);
      default:
        refuse(node, "this conversion of a struct");
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
    if (count > TypeLayout::kMaxLeaves) refuse(list, "array of this size in a struct");
    for (std::uint64_t i = 0; i < count; ++i) {
      append(i < list->getNumInits() ? list->getInit(static_cast<unsigned>(i)) : list->getArrayFiller());
    }
    return values;
  }
  for (const clang::Expr* initializer : list->inits()) { append(initializer); }
  if (values.size() != leaves(list->getType(), list->getSourceRange()).size()) refuse(list, "this initialiser list");
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
      return builder_.toBool(scalar(inner), where);
    case clang::CK_NullToPointer:
      return builder_.constant(ValueType::Pointer, PackedPointer::kNull);
    case clang::CK_ArrayToPointerDecay:
      return addressOf(inner);
    case clang::CK_PointerToIntegral: {
      // A distance from nullptr: its low bits tell the alignment, which is what such code asks for.
      const Scalar null = builder_.constant(ValueType::Pointer, PackedPointer::kNull);
      const Scalar number = builder_.difference(scalar(inner), null, 1, where);
      return builder_.convert(number, scalarType(expression->getType(), expression->getSourceRange()), where);
    }
    case clang::CK_FunctionToPointerDecay:
      refuse(expression, "pointer to a function");
    default:
      break;
  }
  refuse(expression, std::string("conversion (") + expression->getCastKindName() + ")");
}

Scalar KernelLowering::unary(const clang::UnaryOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* inner = expression->getSubExpr();
  switch (expression->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension:
      return scalar(inner);
    case clang::UO_Minus:
      return builder_.unary(Opcode::Negate, scalar(inner), where);
    case clang::UO_Not:
      return builder_.unary(Opcode::BitNot, scalar(inner), where);
    case clang::UO_LNot:
      return builder_.unary(Opcode::LogicalNot, scalar(inner), where);
    case clang::UO_AddrOf:
      return addressOf(inner);
    case clang::UO_PostInc:
    case clang::UO_PostDec:
      return increment(expression, /*wantsValue=*/true);
    default:
      refuse(expression, "operator " + clang::UnaryOperator::getOpcodeStr(expression->getOpcode()).str());
  }
}

Scalar KernelLowering::increment(const clang::UnaryOperator* expression, bool wantsValue) {
  const SourceRange where = range(expression);
  const clang::Expr* operand = expression->getSubExpr();
  const clang::QualType type = operand->getType();
  const Place target = place(operand);
  Scalar old = read(target, type, operand).at(0);
  if (wantsValue && !target.inMemory()) old = builder_.copy(old, where);
  const bool down = expression->isDecrementOp();
  Scalar changed;
  if (type->isPointerType()) {
    changed = moved(old, builder_.constant(ValueType::I32, 1), down, type, where);
  } else {
    const ValueType wide = sizeInMemory(old.type) < 4 ? ValueType::I32 : old.type;
    const Scalar one = builder_.convert(builder_.constant(ValueType::I32, 1), wide, where);
    const Scalar sum =
        builder_.binary(down ? Opcode::Sub : Opcode::Add, builder_.convert(old, wide, where), one, where);
    changed = builder_.convert(sum, old.type, where);
  }
  write(target, type, {changed}, expression);
  return old;
}

Scalar KernelLowering::moved(Scalar pointer, Scalar count, bool backwards, clang::QualType pointerType,
                             const SourceRange& where) {
  const clang::QualType pointee = pointerType->getPointeeType();
  if (pointee->isIncompleteType() || pointee->isFunctionType()) {
    throw LoweringError(where, "unsupported: arithmetic on a pointer to " + pointee.getAsString());
  }
  if (backwards) {
    // An unsigned count has no negative: widen it first.
    if (!isSigned(count.type)) count = builder_.convert(count, ValueType::I64, where);
    count = builder_.unary(Opcode::Negate, count, where);
  }
  return builder_.offset(pointer, count, types_.bytes(pointee), where);
}

Scalar KernelLowering::pointerArithmetic(const clang::BinaryOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* left = expression->getLHS();
  const clang::Expr* right = expression->getRHS();
  const Scalar a = keep(scalar(left), right);
  const Scalar b = scalar(right);
  const bool minus = expression->getOpcode() == clang::BO_Sub;
  if (left->getType()->isPointerType() && right->getType()->isPointerType()) {
    return builder_.difference(a, b, types_.bytes(left->getType()->getPointeeType()), where);
  }
  return left->getType()->isPointerType() ? moved(a, b, minus, left->getType(), where)
                                          : moved(b, a, minus, right->getType(), where);
}

Scalar KernelLowering::binary(const clang::BinaryOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* left = expression->getLHS();
  const clang::Expr* right = expression->getRHS();
  if (expression->getOpcode() == clang::BO_Comma) {
    discard(left);
    return scalar(right);
  }
  if (expression->isLogicalOp()) return logical(expression);
  if (expression->isAdditiveOp() && (left->getType()->isPointerType() || right->getType()->isPointerType())) {
    return pointerArithmetic(expression);
  }
  const auto op = arithmetic(expression->getOpcode());
  if (!op) refuse(expression, "operator " + expression->getOpcodeStr().str());
  const Scalar a = keep(scalar(left), right);
  Scalar b = scalar(right);
  if (expression->isShiftOp()) b = builder_.convert(b, a.type, where);
  return builder_.binary(*op, a, b, where);
}

bool KernelLowering::isHarmless(const clang::Expr* expression) const {
  expression = expression->IgnoreParens();
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                clang::UnaryExprOrTypeTraitExpr, clang::CXXNullPtrLiteralExpr>(expression)) {
    return true;
  }
  if (const auto* node = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(node->getDecl());
    if (variable == nullptr) return llvm::isa<clang::EnumConstantDecl>(node->getDecl());
    const auto known = places_.find(variable);
    if (known != places_.end()) return !known->second.inMemory();
    return isScalar(variable->getType()) && variable->getType().isConstQualified() &&
           !variable->hasAttr<clang::CUDAConstantAttr>();
  }
  if (const auto* node = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const clang::Expr* base = node->getBase()->IgnoreParenImpCasts();
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(base);
    const bool builtin = name != nullptr && !session_.inUserText(name->getDecl()->getLocation());
    return !node->isArrow() && (builtin || isHarmless(base));
  }
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression)) return isHarmless(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return isHarmless(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression)) {
    return isHarmless(node->getReplacement());
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const bool arithmetic = node->isArithmeticOp();
    return arithmetic && isHarmless(node->getSubExpr());
  }
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    return isHarmless(node->getCond()) && isHarmless(node->getTrueExpr()) && isHarmless(node->getFalseExpr());
  }
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (node == nullptr || node->isAssignmentOp() || node->getOpcode() == clang::BO_Div ||
      node->getOpcode() == clang::BO_Rem || node->isPtrMemOp()) {
    return false;
  }
  const bool counted = node->getType()->isFloatingType();
  return !counted && isHarmless(node->getLHS()) && isHarmless(node->getRHS());
}

Scalar KernelLowering::logical(const clang::BinaryOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* right = expression->getRHS();
  const bool isAnd = expression->getOpcode() == clang::BO_LAnd;
  const Scalar left = scalar(expression->getLHS());
  if (builder_.isConstant(left)) {
    const bool decides = (builder_.bits(left) != 0) != isAnd;
    return decides ? left : scalar(right);
  }
  if (isHarmless(right)) {
    const Scalar b = scalar(right);
    if (builder_.isConstant(b)) return (builder_.bits(b) != 0) == isAnd ? left : b;
    return builder_.binary(isAnd ? Opcode::And : Opcode::Or, left, b, where);
  }
  const Scalar result = builder_.temporary(ValueType::Bool);
  builder_.assign(result.reg, left, where);
  const Scalar undecided = isAnd ? result : builder_.unary(Opcode::LogicalNot, result, where);
  const ProgramBuilder::IfBlock block = builder_.beginIf(undecided, where);
  builder_.assign(result.reg, scalar(right), where);
  builder_.endIf(block, where);
  return result;
}

Parts KernelLowering::conditional(const clang::ConditionalOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* first = expression->getTrueExpr();
  const clang::Expr* second = expression->getFalseExpr();
  const Scalar condition = scalar(expression->getCond());
  if (builder_.isConstant(condition)) return parts(builder_.bits(condition) != 0 ? first : second);
  if (isScalar(expression->getType()) && isHarmless(first) && isHarmless(second)) {
    const Scalar a = scalar(first);
    return {builder_.select(condition, a, scalar(second), where)};
  }
  Parts result;
  if (!expression->getType()->isVoidType()) {
    for (const TypeLayout::Leaf& leaf : leaves(expression->getType(), expression->getSourceRange())) {
      result.push_back(builder_.temporary(leaf.type));
    }
  }
  const auto branch = [&](const clang::Expr* side) {
    const Parts values = parts(side);
    for (std::size_t i = 0; i < result.size(); ++i) { builder_.assign(result[i].reg, values.at(i), range(side)); }
  };
  ProgramBuilder::IfBlock block = builder_.beginIf(condition, where);
  branch(first);
  builder_.beginElse(block, where);
  branch(second);
  builder_.endIf(block, where);
  return result;
}

Parts KernelLowering::assignment(const clang::BinaryOperator* expression) {
  const clang::Expr* left = expression->getLHS();
  Parts values = parts(expression->getRHS());  // before the left side, as C++17 has it
  for (Scalar& value : values) { value = keep(value, left); }
  const Place target = place(left);
  write(target, left->getType(), values, expression);
  return target.inMemory() ? values : target.registers;
}

Scalar KernelLowering::compoundAssignment(const clang::CompoundAssignOperator* expression) {
  const SourceRange where = range(expression);
  const clang::Expr* left = expression->getLHS();
  const clang::QualType type = left->getType();
  Scalar right = keep(scalar(expression->getRHS()), left);
  const Place target = place(left);
  const Scalar old = read(target, type, left).at(0);
  Scalar changed;
  if (type->isPointerType()) {
    changed = moved(old, right, expression->getOpcode() == clang::BO_SubAssign, type, where);
  } else {
    const clang::SourceRange at = expression->getSourceRange();
    const Scalar wide = builder_.convert(old, scalarType(expression->getComputationLHSType(), at), where);
    const auto op = arithmetic(expression->getOpcode());
    if (!op) refuse(expression, "operator " + expression->getOpcodeStr().str());
    if (expression->isShiftAssignOp()) right = builder_.convert(right, wide.type, where);
    changed = builder_.convert(builder_.binary(*op, wide, right, where), old.type, where);
  }
  write(target, type, {changed}, expression);
  return target.inMemory() ? changed : target.registers.at(0);
}

Parts KernelLowering::construction(const clang::CXXConstructExpr* expression) {
  const clang::CXXConstructorDecl* constructor = expression->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial()) return parts(expression->getArg(0));
  if (constructor->isDefaultConstructor() && constructor->isTrivial()) {
    return zeros(expression->getType(), expression->getSourceRange());
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!constructor->hasBody(definition)) refuse(expression, "this constructor");
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
    increment(node, /*wantsValue=*/false);
    return;
  }
  if (const auto* node = llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) {
    compoundAssignment(node);
    return;
  }
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (node->getOpcode() == clang::BO_Assign) {
      assignment(node);
      return;
    }
    if (node->getOpcode() == clang::BO_Comma) {
      discard(node->getLHS());
      discard(node->getRHS());
      return;
    }
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

}  // namespace haloscope::frontend
