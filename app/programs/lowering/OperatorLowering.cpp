#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Operators: arithmetic, logic, choices, assignments and the arithmetic of pointers.

namespace haloscope::lowering {

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
      return increment(expression, /*wantsOld=*/true).values.at(0);
    default:
      refuse(expression, tr("operator ") + clang::UnaryOperator::getOpcodeStr(expression->getOpcode()).str());
  }
}

KernelLowering::Assigned KernelLowering::increment(const clang::UnaryOperator* expression, bool wantsOld) {
  const SourceRange where = range(expression);
  const clang::Expr* operand = expression->getSubExpr();
  const clang::QualType type = operand->getType();
  const Place target = place(operand);
  Scalar old = read(target, type, operand).at(0);
  if (wantsOld && !target.inMemory()) old = builder_.copy(old, where);
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
  if (wantsOld) return {target, {old}};
  return {target, target.inMemory() ? Parts{changed} : target.registers};
}

Scalar KernelLowering::moved(Scalar pointer, Scalar count, bool backwards, clang::QualType pointerType,
                             const SourceRange& where) {
  const clang::QualType pointee = pointerType->getPointeeType();
  if (pointee->isIncompleteType() || pointee->isFunctionType()) {
    throw LoweringError(where, tr("unsupported: arithmetic on a pointer to ") + pointee.getAsString());
  }
  if (backwards) {
    // An unsigned count cannot be negated: widen it first.
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
  if (!op) refuse(expression, tr("operator ") + expression->getOpcodeStr().str());
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

KernelLowering::Assigned KernelLowering::assignment(const clang::BinaryOperator* expression) {
  const clang::Expr* left = expression->getLHS();
  Parts values = parts(expression->getRHS());  // before the left side, as C++17 has it
  for (Scalar& value : values) { value = keep(value, left); }
  const Place target = place(left);
  write(target, left->getType(), values, expression);
  return {target, target.inMemory() || target.isSplit() ? values : target.registers};
}

KernelLowering::Assigned KernelLowering::compoundAssignment(const clang::CompoundAssignOperator* expression) {
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
    if (!op) refuse(expression, tr("operator ") + expression->getOpcodeStr().str());
    if (expression->isShiftAssignOp()) right = builder_.convert(right, wide.type, where);
    changed = builder_.convert(builder_.binary(*op, wide, right, where), old.type, where);
  }
  write(target, type, {changed}, expression);
  return {target, target.inMemory() ? Parts{changed} : target.registers};
}

std::optional<KernelLowering::Assigned> KernelLowering::assigned(const clang::Expr* expression) {
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression);
      node != nullptr && node->isIncrementDecrementOp() && node->isPrefix()) {
    return increment(node, /*wantsOld=*/false);
  }
  if (const auto* node = llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) return compoundAssignment(node);
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (node != nullptr && node->getOpcode() == clang::BO_Assign) return assignment(node);
  return std::nullopt;
}

}  // namespace haloscope::lowering
