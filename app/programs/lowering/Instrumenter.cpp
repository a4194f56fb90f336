#include "lowering/Instrumenter.h"

#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "language/Text.h"
#include "lowering/LoweringError.h"
#include "program/AsyncCopies.h"

namespace haloscope::lowering {

void TextInsertions::begin(std::size_t from, std::size_t to, std::string text) {
  insertions_.push_back({from, false, to, insertions_.size(), std::move(text)});
}

void TextInsertions::end(std::size_t from, std::size_t to, std::string text) {
  insertions_.push_back({to, true, from, insertions_.size(), std::move(text)});
}

std::string TextInsertions::apply(const std::string& text) const {
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

namespace {

std::string qualifiedName(const clang::NamedDecl& declaration, const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  std::string name;
  llvm::raw_string_ostream stream(name);
  declaration.printQualifiedName(stream, policy);
  return name;
}

/// By instruction, whether functions of CUDA's library do it that are replaced by some that log: see
/// loggedCudaLibrary().
std::vector<bool> copiesAndBarriers(const Program& program) {
  std::vector<bool> marked(program.code.size());
  const std::vector<std::uint32_t> loads = loadsOfCopies(program);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& one = program.code[i];
    marked[i] = marked[i] || one.async || one.op == Opcode::MemoryBarrier || one.op == Opcode::CopyCommit ||
                one.op == Opcode::CopyWait || one.op == Opcode::MapShared;
    if (loads[i] != kNone) marked[loads[i]] = true;
  }
  return marked;
}

/// Whether a declaration gives its variable a value: `float4 sum;` has an initialiser that does nothing.
bool isInitialized(const clang::VarDecl* variable) {
  const clang::Expr* initializer = variable->getInit();
  if (initializer == nullptr) return false;
  const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(initializer->IgnoreImplicit());
  return construct == nullptr || construct->getNumArgs() > 0 || !construct->getConstructor()->isTrivial() ||
         construct->requiresZeroInitialization();
}

}  // namespace

Instrumenter::Instrumenter(const ClangSession& session, const Program& program)
    : session_(session), program_(program), ofLibrary_(copiesAndBarriers(program)) {
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    if (ofLibrary_[i]) continue;
    if (instruction.op == Opcode::Load) loads_.insert(key(instruction.range));
    if (instruction.op == Opcode::Store) stores_.insert(key(instruction.range));
    if (isAtomic(instruction.op)) atomics_.insert(key(instruction.range));
    if (instruction.op == Opcode::Shuffle) shuffles_.insert(key(instruction.range));
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

void Instrumenter::checkComplete() const {
  for (const MemoryObject& object : program_.objects) {
    // They are copied with their structs, element by element, at no place of their own in the text.
    if (object.space == MemorySpace::Local && object.name.find('.') != std::string::npos) {
      throw LoweringError(object.declared,
                          tr("an array within a struct ('") + object.name + tr("') cannot be recorded on a GPU"));
    }
  }
  const auto map = std::ranges::find_if(program_.objects, &MemoryObject::tensorMap);
  if (map != program_.objects.end()) {
    throw LoweringError(
        map->declared,
        tr("a tensor copy cannot be recorded on a GPU: which array and box it moves is hidden in '") + map->name + "'");
  }
  for (std::size_t i = 0; i < program_.code.size(); ++i) {
    const Instruction& instruction = program_.code[i];
    if (ofLibrary_[i]) {
      if (isOfLibraryCall(instruction)) continue;
      throw LoweringError(
          instruction.range,
          tr("a copy or barrier of inline assembly cannot be recorded on a GPU: use cuda::ptx instead"));
    }
    if (instruction.mapped && writesMemory(instruction.op)) {
      throw LoweringError(instruction.range,
                          tr("a kernel that writes to the shared memory of other blocks cannot be recorded on a GPU: "
                             "the log is of one block"));
    }
    const bool barrier = instruction.op == Opcode::Barrier;
    if (barrier && barrierKind(instruction) == BarrierKind::Grid) {
      throw LoweringError(instruction.range,
                          tr("grid.sync() cannot be recorded on a GPU: launches here are not cooperative"));
    }
    if (barrier && instruction.a != kNone) {
      throw LoweringError(instruction.range,
                          tr("a barrier with a result cannot be recorded on a GPU: its statement goes on behind it"));
    }
    if (isAccess(instruction.op) && !found_.contains(key(instruction.range))) {
      throw LoweringError(
          instruction.range,
          tr("this access cannot be recorded on a GPU: it shares its place in the text with another one"));
    }
  }
  for (const FunctionFrame& frame : program_.functions) {
    if (frame.calledAt.valid() && !found_.contains(key(frame.calledAt))) {
      throw LoweringError(frame.calledAt, tr("the call of '") + frame.name + tr("' cannot be recorded on a GPU"));
    }
  }
  for (const Statement& one : program_.statements) {
    if (!foundStatements_.contains({one.kind, {one.range.line, one.range.column}})) {
      throw LoweringError(one.range, tr("this statement cannot be recorded on a GPU"));
    }
  }
}

bool Instrumenter::isOfLibraryCall(const Instruction& instruction) const {
  return std::ranges::any_of(libraryCalls_, [&](const SourceRange& call) { return isWithin(instruction.range, call); });
}

// --- statements

void Instrumenter::function(const clang::FunctionDecl& definition, bool kernel) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr)
    throw LoweringError(range(definition.getSourceRange()),
                        tr("a function without braces cannot be recorded on a GPU"));
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
      throw LoweringError(range(one), tr("an if that declares a variable cannot be recorded on a GPU"));
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
      throw LoweringError(range(one), tr("a while that declares a variable cannot be recorded on a GPU"));
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
      throw LoweringError(range(one), tr("a switch that declares a variable cannot be recorded on a GPU"));
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
    throw LoweringError(range(node), tr("a for whose condition declares a variable cannot be recorded on a GPU"));
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
      // No statement can follow it: the value is logged as it is assigned.
      const bool deduced = variable->getType()->getContainedAutoType() != nullptr;
      const LogSite site{.kind = LogKind::Variable,
                         .declared = range(variable->getSourceRange()),
                         .name = variable->getNameAsString()};
      const std::string name = deduced ? "initial" : "initial<" + typeName(variable->getType()) + ">";
      wrap(initializer->getSourceRange(), begin(name.c_str(), site) + ", (", "))");
    }
  }
  if (!after.empty()) insertions_.end(offsetOf(node->getBeginLoc()), endOf(node->getEndLoc()), after);
}

/// The entries that follow a declaration.
void Instrumenter::declared(const clang::VarDecl* variable, std::string& after) {
  const SourceRange where = range(variable->getSourceRange());
  const std::string name = variable->getNameAsString();
  const bool reference = variable->getType()->isReferenceType();
  const bool parameter = llvm::isa<clang::ParmVarDecl>(variable);
  const bool initialized = parameter || isInitialized(variable);
  if (!reference && objectDeclared(where, name) != nullptr) {
    after += place(where, name, name);
    if (!initialized || variable->hasGlobalStorage()) return;
    const SourceRange stored = parameter ? SourceRange{} : range(variable->getInit());
    // Each element of an initialised array is stored.
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
    // An array in a struct is in memory, the struct's scalars are not.
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
  const std::string logged = entry(kind, begin, "; ");
  if (!logged.empty()) wrap({node->getBeginLoc(), lastToken(node)}, "{ " + logged, " }");
}

// --- instructions at a place of the text

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
  if (sites_.size() >= kLogSiteMask)
    throw LoweringError(site.range, tr("a text of this size cannot be recorded on a GPU"));
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
  insertions_.begin(from, to, before);
  insertions_.end(from, to, after);
}

void Instrumenter::insert(const clang::SourceLocation& before, const std::string& text) {
  // It comes before everything else that begins here.
  if (!text.empty()) insertions_.begin(offsetOf(before), std::string::npos, text);
}

std::size_t Instrumenter::offsetOf(const clang::SourceLocation& where) const {
  const ClangSession::Place place = session_.placeOf(where);
  if (place.path != ClangSession::kTextPath) {
    throw LoweringError(range(clang::SourceRange(where)), tr("code in a header cannot be recorded on a GPU"));
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
  // The innermost of nested statements decides: `for (…) if (…) x = 1;`
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

}  // namespace haloscope::lowering
