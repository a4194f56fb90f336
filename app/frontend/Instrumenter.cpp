#include "frontend/Instrumenter.h"

#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "frontend/LoweringError.h"
#include "frontend/TypeLayout.h"

namespace haloscope::frontend {

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

std::string qualifiedName(const clang::NamedDecl& declaration, const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  std::string name;
  llvm::raw_string_ostream stream(name);
  declaration.printQualifiedName(stream, policy);
  return name;
}

}  // namespace

Instrumenter::Instrumenter(const ClangSession& session, const Program& program) : session_(session), program_(program) {
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Opcode::Load) loads_.insert(key(instruction.range));
    if (instruction.op == Opcode::Store) stores_.insert(key(instruction.range));
    if (isAtomic(instruction.op)) atomics_.insert(key(instruction.range));
  }
  for (const FunctionFrame& frame : program.functions) {
    if (frame.calledAt.valid()) calls_.insert(key(frame.calledAt));
  }
  for (const Statement& one : program.statements) {
    statements_.insert({one.kind, {one.range.line, one.range.column}});
  }
}

void Instrumenter::instrument(const clang::FunctionDecl& kernel) {
  function(kernel, /*kernel=*/true);
  while (!pending_.empty()) {
    const clang::FunctionDecl* next = pending_.back();
    pending_.pop_back();
    function(*next, /*kernel=*/false);
  }
  std::string arrays;
  for (const clang::VarDecl* variable : globals_) {
    arrays += place(range(variable->getSourceRange()), variable->getNameAsString(),
                    qualifiedName(*variable, session_.context()));
  }
  for (const MemoryObject& object : program_.objects) {
    if (object.argument != kNone) arrays += place(object.declared, object.name, object.name);
  }
  const auto* body = llvm::cast<clang::CompoundStmt>(kernel.getBody());
  insert(body->getLBracLoc().getLocWithOffset(1), arrays);
  checkComplete();
}

std::string Instrumenter::apply(const std::string& text) const {
  std::vector<Insertion> sorted = insertions_;
  std::ranges::sort(sorted, [](const Insertion& a, const Insertion& b) {
    if (a.at != b.at) return a.at < b.at;
    if (a.ends != b.ends) return a.ends;               // what ends here, before what begins
    if (a.other != b.other) return a.other > b.other;  // inner stretches end first and begin last
    return a.ends ? a.order > b.order : a.order < b.order;
  });
  std::string result;
  std::size_t copied = 0;
  for (const Insertion& one : sorted) {
    result += text.substr(copied, one.at - copied) + one.text;
    copied = one.at;
  }
  return result + text.substr(copied);
}

void Instrumenter::checkComplete() const {
  for (const MemoryObject& object : program_.objects) {
    // They are copied with their structs, one element at a time, and the text has no place for that.
    if (object.space == MemorySpace::Local && object.name.find('.') != std::string::npos) {
      throw LoweringError(object.declared,
                          "an array within a struct ('" + object.name + "') cannot be recorded on a GPU");
    }
  }
  for (const Instruction& instruction : program_.code) {
    if (isAccess(instruction.op) && !found_.contains(key(instruction.range))) {
      throw LoweringError(instruction.range,
                          "this access cannot be recorded on a GPU: its place in the text is not its own");
    }
  }
  for (const FunctionFrame& frame : program_.functions) {
    if (frame.calledAt.valid() && !found_.contains(key(frame.calledAt))) {
      throw LoweringError(frame.calledAt, "the call of '" + frame.name + "' cannot be recorded on a GPU");
    }
  }
  for (const Statement& one : program_.statements) {
    if (!foundStatements_.contains({one.kind, {one.range.line, one.range.column}})) {
      throw LoweringError(one.range, "this statement cannot be recorded on a GPU");
    }
  }
}

// --- statements

void Instrumenter::function(const clang::FunctionDecl& definition, bool kernel) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr)
    throw LoweringError(range(definition.getSourceRange()), "a function without braces cannot be recorded on a GPU");
  if (!bodies_.insert(offsetOf(body->getLBracLoc())).second) return;
  std::string first;
  if (!kernel) {
    first = " haloscope_log::begin();";
    for (const clang::ParmVarDecl* parameter : definition.parameters()) declared(parameter, first);
  }
  insert(body->getLBracLoc().getLocWithOffset(1), first);
  statement(body);
}

void Instrumenter::statement(const clang::Stmt* node) {
  if (node == nullptr) return;
  if (const auto* one = llvm::dyn_cast<clang::Expr>(node)) {
    const std::pair<int, int> where{range(one).line, range(one).column};
    const bool barrier = statements_.contains({StatementKind::Barrier, where});
    return expressionStatement(one, barrier ? StatementKind::Barrier : StatementKind::Expression);
  }
  if (const auto* one = llvm::dyn_cast<clang::DeclStmt>(node)) return declarations(one, /*inFor=*/false);
  if (const auto* one = llvm::dyn_cast<clang::ForStmt>(node)) return forStatement(one);
  if (const auto* one = llvm::dyn_cast<clang::IfStmt>(node)) {
    if (one->getInit() != nullptr || one->getConditionVariable() != nullptr) {
      throw LoweringError(range(one), "an if that declares a variable cannot be recorded on a GPU");
    }
    if (one->isConstexpr()) {
      braced(one, StatementKind::Condition, one->getIfLoc());
    } else {
      condition(one->getCond(), StatementKind::Condition, one->getIfLoc());
    }
    statement(one->getThen());
    return statement(one->getElse());
  }
  if (const auto* one = llvm::dyn_cast<clang::WhileStmt>(node)) {
    if (one->getConditionVariable() != nullptr) {
      throw LoweringError(range(one), "a while that declares a variable cannot be recorded on a GPU");
    }
    condition(one->getCond(), StatementKind::LoopCondition, one->getWhileLoc());
    return statement(one->getBody());
  }
  if (const auto* one = llvm::dyn_cast<clang::DoStmt>(node)) {
    statement(one->getBody());
    return condition(one->getCond(), StatementKind::LoopCondition, one->getWhileLoc());
  }
  if (const auto* one = llvm::dyn_cast<clang::SwitchStmt>(node)) {
    if (one->getInit() != nullptr || one->getConditionVariable() != nullptr) {
      throw LoweringError(range(one), "a switch that declares a variable cannot be recorded on a GPU");
    }
    condition(one->getCond(), StatementKind::Switch, one->getSwitchLoc());
    return statement(one->getBody());
  }
  if (const auto* one = llvm::dyn_cast<clang::SwitchCase>(node)) return statement(one->getSubStmt());
  if (const auto* one = llvm::dyn_cast<clang::AttributedStmt>(node)) return statement(one->getSubStmt());
  if (const auto* one = llvm::dyn_cast<clang::ReturnStmt>(node)) {
    braced(one, StatementKind::Return, one->getBeginLoc());
    if (one->getRetValue() != nullptr) expression(one->getRetValue());
    return;
  }
  if (llvm::isa<clang::BreakStmt>(node)) return braced(node, StatementKind::Break, node->getBeginLoc());
  if (llvm::isa<clang::ContinueStmt>(node)) return braced(node, StatementKind::Continue, node->getBeginLoc());
  for (const clang::Stmt* child : node->children()) statement(child);
}

void Instrumenter::forStatement(const clang::ForStmt* node) {
  if (node->getConditionVariable() != nullptr) {
    throw LoweringError(range(node), "a for whose condition declares a variable cannot be recorded on a GPU");
  }
  if (const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(node->getInit())) {
    braced(node, StatementKind::LoopInit, init->getBeginLoc());
    declarations(init, /*inFor=*/true);
  } else if (const auto* assigned = llvm::dyn_cast_or_null<clang::Expr>(node->getInit())) {
    expressionStatement(assigned, StatementKind::LoopInit);
  }
  if (const clang::Expr* test = node->getCond()) condition(test, StatementKind::LoopCondition, test->getBeginLoc());
  if (const clang::Expr* increment = node->getInc()) expressionStatement(increment, StatementKind::LoopIncrement);
  statement(node->getBody());
}

void Instrumenter::declarations(const clang::DeclStmt* node, bool inFor) {
  if (!inFor) insert(node->getBeginLoc(), entry(StatementKind::Declaration, node->getBeginLoc(), "; "));
  std::string after;
  for (const clang::Decl* declaration : node->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable == nullptr) continue;
    const clang::Expr* initializer = variable->getInit();
    if (initializer != nullptr && !variable->hasGlobalStorage()) expression(initializer);
    if (!inFor) {
      declared(variable, after);
    } else if (initializer != nullptr && variableDeclared(range(variable->getSourceRange())) != nullptr) {
      // There is no place behind it: the value is told on its way.
      const bool deduced = variable->getType()->getContainedAutoType() != nullptr;
      const LogSite site{.kind = LogKind::Variable,
                         .declared = range(variable->getSourceRange()),
                         .name = variable->getNameAsString()};
      const std::string name = deduced ? "initial" : "initial<" + typeName(variable->getType()) + ">";
      wrap(initializer->getSourceRange(), begin(name.c_str(), site) + ", (", "))");
    }
  }
  if (!after.empty()) {
    const std::size_t end = endOf(node->getEndLoc());
    insertions_.push_back({end, true, offsetOf(node->getBeginLoc()), insertions_.size(), after});
  }
}

/// What is told once a variable is there.
void Instrumenter::declared(const clang::VarDecl* variable, std::string& after) {
  const SourceRange where = range(variable->getSourceRange());
  const std::string name = variable->getNameAsString();
  const bool reference = variable->getType()->isReferenceType();
  const bool parameter = llvm::isa<clang::ParmVarDecl>(variable);
  const bool initialized = parameter || variable->getInit() != nullptr;
  if (!reference && objectDeclared(where, name) != nullptr) {
    after += place(where, name, name);
    if (!initialized || variable->hasGlobalStorage()) return;
    const SourceRange stored = parameter ? SourceRange{} : range(variable->getInit());
    // Of what is initialised each element is stored; `float4 pair[2];` has an initialiser that does nothing.
    bool stores = false;
    for (const Instruction& one : program_.code) {
      if (one.op != Opcode::Store || one.aux == kNone || program_.objects[one.aux].declared != where) continue;
      const bool here =
          std::pair(stored.line, stored.column) <= std::pair(one.range.line, one.range.column) &&
          std::pair(one.range.endLine, one.range.endColumn) <= std::pair(stored.endLine, stored.endColumn);
      if (here) found_.insert(key(one.range));
      stores = stores || here || parameter;
    }
    if (!stores) return;
    const LogSite site{.kind = LogKind::Store, .range = stored, .declared = where, .name = name};
    after += begin("written", site) + ", " + name + ");";
    return;
  }
  for (const MemoryObject& member : program_.objects) {
    // An array within a struct is in memory, the struct's scalars are not.
    if (member.declared == where && member.name.starts_with(name + "."))
      after += place(where, member.name, member.name);
  }
  const Variable* known = variableDeclared(where);
  if (known == nullptr || !initialized) return;
  const bool address = reference && program_.registers[known->reg].type == ValueType::Pointer &&
                       !variable->getType().getNonReferenceType()->isPointerType();
  after += begin("variable", {.kind = LogKind::Variable, .declared = where, .name = name}) + ", " +
           (address ? "&" : "") + name + ");";
}

void Instrumenter::expressionStatement(const clang::Expr* node, StatementKind kind) {
  insert(node->getBeginLoc(), entry(kind, node->getBeginLoc(), ", "));
  expression(node);
}

void Instrumenter::condition(const clang::Expr* node, StatementKind kind, const clang::SourceLocation& begin) {
  insert(node->getBeginLoc(), entry(kind, begin, ", "));
  expression(node);
}

void Instrumenter::braced(const clang::Stmt* node, StatementKind kind, const clang::SourceLocation& begin) {
  const std::string told = entry(kind, begin, "; ");
  if (!told.empty()) wrap({node->getBeginLoc(), lastToken(node)}, "{ " + told, " }");
}

// --- expressions

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
    static_cast<void>(lambda);  // its body is looked at where it is called
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
    throw LoweringError(where, "a ++ or -- behind a target with effects cannot be recorded on a GPU");
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
      throw LoweringError(where,
                          "an atomic operation whose operands read memory or have effects cannot be recorded on a GPU");
    }
    operands += ", " + spelling(node->getArg(i));
  }
  children(node);
  found_.insert(key(where));
  wrap(node->getSourceRange(), begin("atomic", {.kind = LogKind::Atomic, .range = where}) + ", ", operands + ")");
}

/// Whether an operand is read from memory: asked again after the operation, it might be another value.
bool Instrumenter::readsMemory(const clang::Stmt* node) const {
  if (node == nullptr) return false;
  const auto* expression = llvm::dyn_cast<clang::Expr>(node);
  if (expression != nullptr && loads_.contains(key(range(expression)))) return true;
  return std::ranges::any_of(node->children(), [&](const clang::Stmt* child) { return readsMemory(child); });
}

/// Of CUDA's own functions some read or write at an address: __ldg, __stcs and their kin.
void Instrumenter::libraryCall(const clang::CallExpr* node) {
  const SourceRange where = range(node);
  const bool reads = loads_.contains(key(where)), writes = stores_.contains(key(where));
  if (!reads && !writes) return;
  const clang::FunctionDecl* callee = node->getDirectCallee();
  const std::string name = callee == nullptr || !callee->getDeclName().isIdentifier() ? "" : callee->getName().str();
  const std::string home = callee == nullptr ? "" : session_.placeOf(callee->getLocation()).path;
  const bool ofHeader = !home.empty() && home != ClangSession::kTextPath && home != ClangSession::kPreludePath &&
                        home != ClangSession::kProloguePath;
  if (ofHeader) throw LoweringError(where, "'" + name + "' stands in a header, and cannot be recorded on a GPU");
  const bool known = name.starts_with("__ld") || name.starts_with("__st") || name.starts_with("__builtin_nontemporal");
  const bool pointer = known && node->getNumArgs() > 0 && node->getArg(0)->getType()->isPointerType();
  if (reads == writes || !pointer || node->getArg(0)->HasSideEffects(session_.context())) {
    throw LoweringError(where, "this call cannot be recorded on a GPU");
  }
  found_.insert(key(where));
  const std::string address = spelling(node->getArg(0));
  if (reads) {
    wrap(node->getSourceRange(), begin("readAt", {.kind = LogKind::Load, .range = where}) + ", ", ", " + address + ")");
  } else {
    const std::string told = begin("writtenAt", {.kind = LogKind::Store, .range = where}) + ", " + address + ")";
    wrap(node->getSourceRange(), "(", ", " + told + ")");
  }
}

// --- what the program has at a place of the text

const Variable* Instrumenter::variableDeclared(const SourceRange& where) const {
  const auto found = std::ranges::find_if(program_.variables,
                                          [&](const Variable& one) { return !one.parameter && one.declared == where; });
  if (found != program_.variables.end()) return &*found;
  // A parameter of the kernel that the text assigns to.
  const auto parameter =
      std::ranges::find_if(program_.variables, [&](const Variable& one) { return one.declared == where; });
  return parameter == program_.variables.end() ? nullptr : &*parameter;
}

const MemoryObject* Instrumenter::objectDeclared(const SourceRange& where, const std::string& name) const {
  const auto found = std::ranges::find_if(program_.objects, [&](const MemoryObject& one) {
    return one.declared == where && one.name == name && one.argument == kNone;
  });
  return found == program_.objects.end() ? nullptr : &*found;
}

// --- sites and insertions

std::uint32_t Instrumenter::add(LogSite site) {
  if (sites_.size() >= kLogSiteMask) throw LoweringError(site.range, "a text of this size cannot be recorded on a GPU");
  sites_.push_back(std::move(site));
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

std::string Instrumenter::begin(const char* name, LogSite site) {
  return std::string("haloscope_log::") + name + "(" + std::to_string(add(std::move(site)));
}

std::string Instrumenter::entry(StatementKind kind, const clang::SourceLocation& begin, const char* separator) {
  const SourceRange where = range(clang::SourceRange(begin));
  const Begin found{kind, {where.line, where.column}};
  if (!statements_.contains(found)) return {};
  foundStatements_.insert(found);
  return this->begin("at", {.kind = LogKind::Statement, .range = where, .statement = kind}) + ")" + separator;
}

std::string Instrumenter::place(const SourceRange& declared, const std::string& name, const std::string& written) {
  const LogSite site{.kind = LogKind::Place, .declared = declared, .name = name};
  return " " + begin("place", site) + ", (unsigned long long)&" + written + ");";
}

void Instrumenter::wrap(const clang::SourceRange& where, const std::string& before, const std::string& after) {
  const std::size_t from = offsetOf(where.getBegin()), to = endOf(where.getEnd());
  insertions_.push_back({from, false, to, insertions_.size(), before});
  insertions_.push_back({to, true, from, insertions_.size(), after});
}

void Instrumenter::insert(const clang::SourceLocation& before, const std::string& text) {
  // It stands before whatever else begins here.
  if (!text.empty()) { insertions_.push_back({offsetOf(before), false, std::string::npos, insertions_.size(), text}); }
}

std::size_t Instrumenter::offsetOf(const clang::SourceLocation& where) const {
  const ClangSession::Place place = session_.placeOf(where);
  if (place.path != ClangSession::kTextPath) {
    throw LoweringError(range(clang::SourceRange(where)), "code of a header cannot be recorded on a GPU");
  }
  return place.offset;
}

std::size_t Instrumenter::endOf(const clang::SourceLocation& lastToken) const {
  const clang::SourceManager& sources = session_.context().getSourceManager();
  const clang::CharSourceRange expanded = sources.getExpansionRange(lastToken);
  const unsigned length =
      clang::Lexer::MeasureTokenLength(expanded.getEnd(), sources, session_.context().getLangOpts());
  return offsetOf(expanded.getEnd()) + length;
}

clang::SourceLocation Instrumenter::lastToken(const clang::Stmt* node) const {
  const clang::SourceManager& sources = session_.context().getSourceManager();
  const clang::LangOptions& language = session_.context().getLangOpts();
  // Of nested statements the last one decides: `for (…) if (…) x = 1;`
  const clang::Stmt* last = node;
  while (last != nullptr) {
    if (const auto* one = llvm::dyn_cast<clang::ForStmt>(last)) {
      last = one->getBody();
    } else if (const auto* other = llvm::dyn_cast<clang::WhileStmt>(last)) {
      last = other->getBody();
    } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(last)) {
      last = choice->getElse() != nullptr ? choice->getElse() : choice->getThen();
    } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(last)) {
      last = attributed->getSubStmt();
    } else {
      break;
    }
  }
  const clang::SourceLocation end = sources.getExpansionRange(last->getSourceRange()).getEnd();
  if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt, clang::SwitchStmt>(last)) return end;
  const auto next = clang::Lexer::findNextToken(end, sources, language);
  return next && next->is(clang::tok::semi) ? next->getLocation() : end;
}

std::string Instrumenter::typeName(const clang::QualType& type) const {
  return type.getUnqualifiedType().getAsString(session_.context().getPrintingPolicy());
}

std::string Instrumenter::spelling(const clang::Expr* node) const {
  return std::string(session_.spelling(node->getSourceRange()));
}

}  // namespace haloscope::frontend
