#include <algorithm>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Statements, the units of stepping, and control flow.

namespace haloscope::lowering {

namespace {

bool isJump(const clang::Stmt* node) {
  return llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(node);
}

/// Whether a switch has a `continue`, which belongs to the enclosing loop.
bool continuesLoopAround(const clang::Stmt* node) {
  if (node == nullptr || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::LambdaExpr>(node)) {
    return false;
  }
  return llvm::isa<clang::ContinueStmt>(node) || std::ranges::any_of(node->children(), continuesLoopAround);
}

}  // namespace

void KernelLowering::begin(StatementKind kind, const SourceRange& where) {
  if (!frame().transparent) frame().statement = builder_.statement(kind, frame().index, where);
}

void KernelLowering::statement(const clang::Stmt* node) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(node)) return expressionStatement(expression);
  switch (node->getStmtClass()) {
    case clang::Stmt::NullStmtClass:
      return;
    case clang::Stmt::CompoundStmtClass:
      return compound(llvm::cast<clang::CompoundStmt>(node));
    case clang::Stmt::DeclStmtClass:
      return declarations(llvm::cast<clang::DeclStmt>(node));
    case clang::Stmt::IfStmtClass:
      return ifStatement(llvm::cast<clang::IfStmt>(node));
    case clang::Stmt::ForStmtClass:
      return forStatement(llvm::cast<clang::ForStmt>(node));
    case clang::Stmt::WhileStmtClass:
      return whileStatement(llvm::cast<clang::WhileStmt>(node));
    case clang::Stmt::DoStmtClass:
      return doStatement(llvm::cast<clang::DoStmt>(node));
    case clang::Stmt::SwitchStmtClass:
      return switchStatement(llvm::cast<clang::SwitchStmt>(node));
    case clang::Stmt::ReturnStmtClass:
      return returnStatement(llvm::cast<clang::ReturnStmt>(node));
    case clang::Stmt::BreakStmtClass:
      return jumpOutOfLoop(node, /*isBreak=*/true);
    case clang::Stmt::ContinueStmtClass:
      return jumpOutOfLoop(node, /*isBreak=*/false);
    case clang::Stmt::GCCAsmStmtClass:
      return assembly(llvm::cast<clang::GCCAsmStmt>(node));
    case clang::Stmt::AttributedStmtClass:
      return statement(llvm::cast<clang::AttributedStmt>(node)->getSubStmt());
    default:
      refuse(node);
  }
}

void KernelLowering::compound(const clang::CompoundStmt* node) {
  scopes_.push_back(range(node));
  for (const clang::Stmt* child : node->body()) {
    statement(child);
    if (isJump(child)) break;  // the rest is unreachable
  }
  scopes_.pop_back();
}

void KernelLowering::declarations(const clang::DeclStmt* node) {
  const bool hasCode = std::ranges::any_of(node->decls(), [&](const clang::Decl* decl) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    return variable != nullptr && producesCode(variable);
  });
  if (hasCode) {
    SourceRange where = range(node);
    const std::string_view text = session_.spelling(node->getSourceRange());
    if (text.ends_with(';')) --where.endColumn;
    begin(StatementKind::Declaration, where);
  }
  for (const clang::Decl* decl : node->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) declare(variable);
  }
}

void KernelLowering::expressionStatement(const clang::Expr* node) {
  begin(isBarrierCall(node) ? StatementKind::Barrier : StatementKind::Expression, range(node));
  discard(node);
}

void KernelLowering::ifStatement(const clang::IfStmt* node) {
  scopes_.push_back(range(node));
  if (node->getInit() != nullptr) statement(node->getInit());
  if (node->getConditionVariable() != nullptr) statement(node->getConditionVariableDeclStmt());
  const SourceRange head = range({node->getIfLoc(), node->getRParenLoc()});
  begin(StatementKind::Condition, head);
  if (node->isConsteval()) refuse(node, tr("if consteval"));
  const Scalar condition = scalar(node->getCond());
  if (builder_.isConstant(condition)) {
    // Decided by the tile size or a template argument: the other branch is dropped, as by the compiler.
    const clang::Stmt* taken = builder_.bits(condition) != 0 ? node->getThen() : node->getElse();
    if (taken != nullptr) statement(taken);
  } else {
    ProgramBuilder::IfBlock block = builder_.beginIf(condition, head);
    statement(node->getThen());
    if (node->getElse() != nullptr) {
      builder_.beginElse(block, range(clang::SourceRange(node->getElseLoc())));
      statement(node->getElse());
    }
    builder_.endIf(block, head);
  }
  scopes_.pop_back();
}

VariableId KernelLowering::inductionVariable(const clang::ForStmt* node) const {
  const auto idOf = [&](const clang::VarDecl* variable) {
    const auto found = variables_.find(variable);
    return found == variables_.end() ? kNone : found->second;
  };
  const auto named = [&](const clang::Expr* expression) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
    return name == nullptr ? kNone : idOf(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
  };
  if (const clang::Expr* increment = node->getInc()) {
    increment = increment->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(increment)) return named(unary->getSubExpr());
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(increment);
        binary != nullptr && binary->isAssignmentOp()) {
      return named(binary->getLHS());
    }
  }
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(node->getInit());
  if (init == nullptr) return kNone;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(*init->decl_begin());
  return variable == nullptr ? kNone : idOf(variable);
}

void KernelLowering::forStatement(const clang::ForStmt* node) {
  const SourceRange whole = range(node);
  const SourceRange head = range({node->getForLoc(), node->getRParenLoc()});
  scopes_.push_back(whole);
  if (const clang::Stmt* init = node->getInit()) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(init);
    SourceRange where = range(init);
    if (session_.spelling(init->getSourceRange()).ends_with(';')) --where.endColumn;
    begin(StatementKind::LoopInit, where);
    if (declaration != nullptr) {
      for (const clang::Decl* decl : declaration->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) declare(variable);
      }
    } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(init)) {
      discard(expression);
    }
  }
  ProgramBuilder::LoopBlock loop = builder_.beginLoop(whole, head);
  builder_.info(loop).variable = inductionVariable(node);
  jumps_.push_back({});
  if (node->getConditionVariable() != nullptr) statement(node->getConditionVariableDeclStmt());
  if (const clang::Expr* condition = node->getCond()) {
    begin(StatementKind::LoopCondition, range(condition));
    builder_.loopTest(loop, scalar(condition), range(condition));
  }
  statement(node->getBody());
  builder_.control(Opcode::LoopNext, head);
  if (const clang::Expr* increment = node->getInc()) {
    begin(StatementKind::LoopIncrement, range(increment));
    discard(increment);
  }
  jumps_.pop_back();
  builder_.endLoop(loop, head);
  scopes_.pop_back();
}

void KernelLowering::whileStatement(const clang::WhileStmt* node) {
  const SourceRange head = range({node->getWhileLoc(), node->getRParenLoc()});
  scopes_.push_back(range(node));
  ProgramBuilder::LoopBlock loop = builder_.beginLoop(range(node), head);
  jumps_.push_back({});
  if (node->getConditionVariable() != nullptr) statement(node->getConditionVariableDeclStmt());
  begin(StatementKind::LoopCondition, head);
  builder_.loopTest(loop, scalar(node->getCond()), head);
  statement(node->getBody());
  builder_.control(Opcode::LoopNext, head);
  jumps_.pop_back();
  builder_.endLoop(loop, head);
  scopes_.pop_back();
}

void KernelLowering::doStatement(const clang::DoStmt* node) {
  const SourceRange foot = range({node->getWhileLoc(), node->getRParenLoc()});
  ProgramBuilder::LoopBlock loop = builder_.beginLoop(range(node), foot);
  jumps_.push_back({});
  statement(node->getBody());
  builder_.control(Opcode::LoopNext, foot);
  begin(StatementKind::LoopCondition, foot);
  builder_.loopTest(loop, scalar(node->getCond()), foot);
  jumps_.pop_back();
  builder_.endLoop(loop, foot);
}

void KernelLowering::switchStatement(const clang::SwitchStmt* node) {
  struct Section {
    std::vector<const clang::CaseStmt*> cases;
    bool isDefault = false;
    std::vector<const clang::Stmt*> body;
  };
  scopes_.push_back(range(node));
  if (node->getInit() != nullptr) statement(node->getInit());
  if (node->getConditionVariable() != nullptr) statement(node->getConditionVariableDeclStmt());
  const SourceRange head = range({node->getSwitchLoc(), node->getRParenLoc()});
  begin(StatementKind::Switch, head);
  const Scalar value = scalar(node->getCond());

  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(node->getBody());
  if (body == nullptr) refuse(node, tr("switch without braces"));
  std::vector<Section> sections;
  for (const clang::Stmt* child : body->body()) {
    const bool labelled = llvm::isa<clang::SwitchCase>(child);
    if (labelled) sections.push_back({});
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(child)) {
      const auto* one = llvm::dyn_cast<clang::CaseStmt>(label);
      if (one != nullptr && one->caseStmtIsGNURange()) refuse(label, tr("range of case labels"));
      if (one != nullptr) sections.back().cases.push_back(one);
      sections.back().isDefault |= one == nullptr;
      child = label->getSubStmt();
    }
    if (sections.empty()) sections.push_back({});  // declarations before the first label
    sections.back().body.push_back(child);
  }

  const Scalar no = builder_.constant(ValueType::Bool, 0);
  const auto matches = [&](const Section& section) {
    Scalar any = no;  // computed before the sections, which may change the operand
    for (const clang::CaseStmt* label : section.cases) {
      const SourceRange where = range(label->getLHS());
      const Scalar wanted =
          constantInteger(node->getCond()->getType(), label->getLHS()->EvaluateKnownConstInt(context_),
                          label->getLHS()->getSourceRange());
      const Scalar equal = builder_.binary(Opcode::Equal, value, wanted, where);
      any = builder_.binary(Opcode::Or, any, equal, where);
    }
    return any;
  };
  Parts matched;
  Scalar anyCase = no;
  for (const Section& section : sections) {
    matched.push_back(matches(section));
    anyCase = builder_.binary(Opcode::Or, anyCase, matched.back(), head);
  }
  const Scalar noCase = builder_.unary(Opcode::LogicalNot, anyCase, head);

  const Scalar continues = builder_.temporary(ValueType::Bool);
  const bool passesOn = !jumps_.empty() && continuesLoopAround(body);
  if (passesOn) builder_.assign(continues.reg, no, head);
  const ProgramBuilder::LoopBlock once = builder_.beginOnce(head);
  jumps_.push_back({.isSwitch = true, .continues = continues});
  Scalar entered = no;  // from the section above, unless it ended with break
  for (std::size_t i = 0; i < sections.size(); ++i) {
    entered = builder_.binary(Opcode::Or, entered, matched[i], head);
    if (sections[i].isDefault) entered = builder_.binary(Opcode::Or, entered, noCase, head);
    const ProgramBuilder::IfBlock block = builder_.beginIf(entered, head);
    for (const clang::Stmt* child : sections[i].body) {
      statement(child);
      if (isJump(child)) break;
    }
    builder_.endIf(block, head);
  }
  jumps_.pop_back();
  builder_.endOnce(once, head);
  if (passesOn) {
    const ProgramBuilder::IfBlock block = builder_.beginIf(continues, head);
    if (jumps_.back().isSwitch) {
      builder_.assign(jumps_.back().continues.reg, continues, head);
      builder_.control(Opcode::Break, head);
    } else {
      builder_.control(Opcode::Continue, head);
    }
    builder_.endIf(block, head);
  }
  scopes_.pop_back();
}

void KernelLowering::jumpOutOfLoop(const clang::Stmt* node, bool isBreak) {
  begin(isBreak ? StatementKind::Break : StatementKind::Continue, range(node));
  const bool continuesFromSwitch = !isBreak && !jumps_.empty() && jumps_.back().isSwitch;
  if (continuesFromSwitch) {
    builder_.assign(jumps_.back().continues.reg, builder_.constant(ValueType::Bool, 1), range(node));
  }
  builder_.control(isBreak || continuesFromSwitch ? Opcode::Break : Opcode::Continue, range(node));
}

void KernelLowering::returnStatement(const clang::ReturnStmt* node) {
  begin(StatementKind::Return, range(node));
  const clang::Expr* value = node->getRetValue();
  if (value != nullptr) {
    const bool reference = frame().function->getReturnType()->isReferenceType();
    if (reference && frame().onlyTrailingReturn) {
      frame().resultPlace = place(value);
    } else if (reference) {
      builder_.assign(frame().result.at(0).reg, addressOf(value), range(node));
    } else if (frame().onlyTrailingReturn) {
      frame().result = parts(value);
    } else {
      const Parts values = parts(value);
      for (std::size_t i = 0; i < values.size(); ++i) {
        builder_.assign(frame().result.at(i).reg, values[i], range(node));
      }
    }
  }
  if (node == frame().trailingReturn) return;  // all lanes are there already
  builder_.control(Opcode::Return, range(node));
}

}  // namespace haloscope::lowering
