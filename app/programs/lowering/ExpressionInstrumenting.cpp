#include <algorithm>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/Instrumenter.h"
#include "lowering/LoweringError.h"
#include "lowering/TypeLayout.h"

// Instrumented expressions: accesses, assignments, calls.

namespace haloscope::lowering {

namespace {

/// The variable that an assignment to `x`, `x.y`, `x.y.z` changes; null behind a pointer, a subscript or a cast.
const clang::VarDecl* assignedVariable(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (member->isArrow()) return nullptr;
    expression = member->getBase()->IgnoreParenImpCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

/// The first of a variable's scalars that `x.y.z` names.
std::uint32_t firstScalar(const TypeLayout& types, const clang::Expr* expression) {
  std::size_t first = 0;
  expression = expression->IgnoreParenImpCasts();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr) break;
    first += types.fieldLeaves(*field).first;
    expression = member->getBase()->IgnoreParenImpCasts();
  }
  return static_cast<std::uint32_t>(first);
}

}  // namespace

void Instrumenter::children(const clang::Expr* node) {
  for (const clang::Stmt* child : node->children()) {
    if (const auto* one = llvm::dyn_cast_or_null<clang::Expr>(child)) expression(one);
  }
}

void Instrumenter::note(const clang::DeclRefExpr* node) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(node->getDecl());
  if (variable == nullptr || !variable->hasGlobalStorage() || variable->isStaticLocal() || variable->isLocalVarDecl()) {
    return;
  }
  const clang::VarDecl* definition = variable->getDefinition();
  if (definition == nullptr) definition = variable;
  const SourceRange where = range(definition->getSourceRange());
  if (objectDeclared(where, definition->getNameAsString()) == nullptr) return;
  if (std::ranges::find(globals_, definition) == globals_.end()) globals_.push_back(definition);
}

void Instrumenter::expression(const clang::Expr* node) {
  if (node == nullptr) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node)) note(name);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(node)) {
    static_cast<void>(lambda);  // its body is instrumented where it is called
    return;
  }
  if (const auto* one = llvm::dyn_cast<clang::CallExpr>(node)) return call(one);
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(node)) {
    if (one->isIncrementDecrementOp()) {
      return assignment(one, one->getSubExpr(), /*readsFirst=*/true, one->isPostfix());
    }
    if (one->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr* place = one->getSubExpr()->IgnoreParens();
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place)) note(name);
      return children(place);
    }
  }
  if (const auto* one = llvm::dyn_cast<clang::BinaryOperator>(node); one != nullptr && one->isAssignmentOp()) {
    expression(one->getRHS());
    return assignment(one, one->getLHS(), one->isCompoundAssignmentOp(), /*postfix=*/false);
  }
  const SourceRange where = range(node);
  if (node->isGLValue() && loads_.contains(key(where)) && !llvm::isa<clang::CastExpr>(node)) {
    wrap(node->getSourceRange(), begin("read", {.kind = LogKind::Load, .range = where}) + ", ", ")");
    found_.insert(key(where));
  }
  children(node);
}

void Instrumenter::assignment(const clang::Expr* node, const clang::Expr* target, bool readsFirst, bool postfix) {
  const SourceRange where = range(node);
  const clang::Expr* bare = target->IgnoreParens();
  if (postfix && bare->HasSideEffects(session_.context())) {
    throw LoweringError(where, tr("++ or -- on an expression with side effects cannot be recorded on a GPU"));
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare)) note(name);
  if (readsFirst && loads_.contains(key(range(target)))) {
    wrap(target->getSourceRange(), begin("before", {.kind = LogKind::Load, .range = range(target)}) + ", ", ")");
    found_.insert(key(range(target)));
  }
  children(bare);
  if (stores_.contains(key(where))) {
    const LogSite site{.kind = LogKind::Store, .range = where};
    found_.insert(key(where));
    if (postfix) {
      wrap(node->getSourceRange(), begin("writtenAfter", site) + ", ", ", " + spelling(target) + ")");
    } else {
      wrap(node->getSourceRange(), begin("written", site) + ", ", ")");
    }
    return;
  }
  const clang::VarDecl* variable = assignedVariable(target);
  if (variable == nullptr) return;
  const SourceRange declaredAt = range(variable->getSourceRange());
  if (variableDeclared(declaredAt) == nullptr && !variable->getType()->isReferenceType()) return;
  const TypeLayout types(session_.context());
  const LogSite site{.kind = LogKind::Variable,
                     .range = where,
                     .declared = declaredAt,
                     .name = variable->getNameAsString(),
                     .field = firstScalar(types, target)};
  const bool whole = llvm::isa<clang::DeclRefExpr>(bare);
  if (whole && !postfix) {
    wrap(node->getSourceRange(), begin("assigned", site) + ", ", ")");
  } else {
    wrap(node->getSourceRange(), begin("assignedAfter", site) + ", ", ", " + spelling(target) + ")");
  }
}

/// Notes a call of CUDA's library that copies or uses barriers. What it does is logged within it. False if it does not.
bool Instrumenter::copyOrBarrier(const clang::CallExpr* node) {
  const SourceRange where = range(node);
  bool any = false;
  for (std::size_t i = 0; i < program_.code.size() && !any; ++i) {
    any = ofLibrary_[i] && isWithin(program_.code[i].range, where);
  }
  if (!any) return false;
  refuseHiddenState(node);
  libraryCalls_.push_back(where);
  wrap(node->getSourceRange(), "(" + begin("library", {.kind = LogKind::Library, .range = where}) + "), ", ")");
  return true;
}

/// Of an object like cuda::pipeline, whose functions change variables that the text does not have.
void Instrumenter::refuseHiddenState(const clang::CallExpr* node) const {
  const auto* called = llvm::dyn_cast<clang::CXXMemberCallExpr>(node);
  if (called == nullptr || called->getMethodDecl()->isConst()) return;
  const clang::VarDecl* variable = assignedVariable(called->getImplicitObjectArgument());
  if (variable == nullptr || variableDeclared(range(variable->getSourceRange())) == nullptr) return;
  throw LoweringError(range(node), "'" + variable->getNameAsString() +
                                       tr("' keeps its state in variables of CUDA's library, which cannot be recorded "
                                          "on a GPU: use __pipeline_commit() and __pipeline_wait_prior() instead"));
}

void Instrumenter::call(const clang::CallExpr* node) {
  const SourceRange where = range(node);
  const clang::FunctionDecl* callee = node->getDirectCallee();
  const clang::FunctionDecl* definition = nullptr;
  if (atomics_.contains(key(where))) return atomic(node);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool assigns = method != nullptr && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  if (assigns && method->isTrivial() && node->getNumArgs() == 2) {
    expression(node->getArg(1));
    return assignment(node, node->getArg(0), /*readsFirst=*/false, /*postfix=*/false);
  }
  children(node);
  if (callee == nullptr || !callee->hasBody(definition)) return libraryCall(node);
  if (!calls_.contains(key(where))) return libraryCall(node);
  if (known_.insert(definition).second) pending_.push_back(definition);
  found_.insert(key(where));
  const std::string enter = "(" + begin("enter", {.kind = LogKind::Enter, .range = where}) + "), ";
  if (node->getType()->isVoidType()) {
    wrap(node->getSourceRange(), enter, ", haloscope_log::leave())");
  } else {
    wrap(node->getSourceRange(), enter + (node->isGLValue() ? "haloscope_log::leftAt(" : "haloscope_log::left("), "))");
  }
}

void Instrumenter::atomic(const clang::CallExpr* node) {
  const SourceRange where = range(node);
  std::string operands;
  for (unsigned i = 0; i < node->getNumArgs(); ++i) {
    if (node->getArg(i)->HasSideEffects(session_.context()) || readsMemory(node->getArg(i))) {
      throw LoweringError(
          where, tr("an atomic operation whose operands read memory or have side effects cannot be recorded on a GPU"));
    }
    operands += ", " + spelling(node->getArg(i));
  }
  children(node);
  found_.insert(key(where));
  wrap(node->getSourceRange(), begin("atomic", {.kind = LogKind::Atomic, .range = where}) + ", ", operands + ")");
}

/// Whether an operand is read from memory: read again after the operation, it might differ.
bool Instrumenter::readsMemory(const clang::Stmt* node) const {
  if (node == nullptr) return false;
  const auto* expression = llvm::dyn_cast<clang::Expr>(node);
  if (expression != nullptr && loads_.contains(key(range(expression)))) return true;
  return std::ranges::any_of(node->children(), [&](const clang::Stmt* child) { return readsMemory(child); });
}

/// Which lane the value comes from is known from the arguments alone.
void Instrumenter::shuffle(const clang::CallExpr* node) {
  constexpr unsigned kLane = 2, kWidth = 3;
  for (unsigned i = kLane; i < node->getNumArgs(); ++i) {
    const clang::Expr* argument = node->getArg(i);
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) continue;
    if (i == kWidth && argument->isEvaluatable(session_.context())) continue;
    const LogSite site{.kind = LogKind::Lane, .range = range(node), .field = i - kLane};
    wrap(argument->getSourceRange(), begin("lane", site) + ", ", ")");
  }
}

/// CUDA functions that read or write at an address: __ldg, __stcs and the like.
void Instrumenter::libraryCall(const clang::CallExpr* node) {
  const SourceRange where = range(node);
  const bool reads = loads_.contains(key(where)), writes = stores_.contains(key(where));
  const clang::FunctionDecl* callee = node->getDirectCallee();
  const std::string name = callee == nullptr || !callee->getDeclName().isIdentifier() ? "" : callee->getName().str();
  if (shuffles_.contains(key(where)) && name.starts_with("__shfl_")) return shuffle(node);
  if (copyOrBarrier(node)) return;
  if (!reads && !writes) return;
  const std::string home = callee == nullptr ? "" : session_.placeOf(callee->getLocation()).path;
  const bool ofHeader = !home.empty() && home != ClangSession::kTextPath && home != ClangSession::kPreludePath &&
                        home != ClangSession::kProloguePath;
  if (ofHeader) throw LoweringError(where, "'" + name + tr("' is defined in a header and cannot be recorded on a GPU"));
  const bool known = name.starts_with("__ld") || name.starts_with("__st") || name.starts_with("__builtin_nontemporal");
  const bool pointer = known && node->getNumArgs() > 0 && node->getArg(0)->getType()->isPointerType();
  if (reads == writes || !pointer || node->getArg(0)->HasSideEffects(session_.context())) {
    throw LoweringError(where, tr("this call cannot be recorded on a GPU"));
  }
  found_.insert(key(where));
  const std::string address = spelling(node->getArg(0));
  if (reads) {
    wrap(node->getSourceRange(), begin("readAt", {.kind = LogKind::Load, .range = where}) + ", ", ", " + address + ")");
  } else {
    const std::string store = begin("writtenAt", {.kind = LogKind::Store, .range = where}) + ", " + address + ")";
    wrap(node->getSourceRange(), "(", ", " + store + ")");
  }
}

}  // namespace haloscope::lowering
