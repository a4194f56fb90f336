#include "lowering/KernelLowering.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/CopyElimination.h"
#include "lowering/LoweringError.h"
#include "program/Program.h"

namespace haloscope::lowering {

namespace {

/// The range of code in which a temporary holds a value: [begin, end], indices of instructions.
struct Interval {
  RegisterId reg = kNone;
  std::uint32_t begin = kNone;
  std::uint32_t end = 0;
};

struct LoopSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

std::array<RegisterId*, 4> operands(Instruction& instruction) {
  return {&instruction.dst, &instruction.a, &instruction.b, &instruction.c};
}

/// The spans of all loops that jump back, inner loops before outer ones.
std::vector<LoopSpan> loopSpans(const Program& program) {
  std::vector<LoopSpan> spans;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    if (program.code[i].op == Opcode::LoopBack) spans.push_back({program.code[i].target, i});
  }
  return spans;
}

std::vector<Interval> intervals(Program& program) {
  std::vector<Interval> all(program.registers.size());
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    for (const RegisterId* reg : operands(program.code[i])) {
      if (*reg == kNone || program.registers[*reg].kind != RegisterKind::Temporary) continue;
      Interval& interval = all[*reg];
      interval.reg = *reg;
      interval.begin = std::min(interval.begin, i);
      interval.end = i;
    }
  }
  std::erase_if(all, [](const Interval& interval) { return interval.reg == kNone; });
  return all;
}

/// A value that enters or leaves a loop must survive all its iterations, and every value the rest of its statement.
void widen(std::vector<Interval>& all, const Program& program) {
  const std::vector<LoopSpan> loops = loopSpans(program);
  std::vector<std::uint32_t> statementEnd(program.code.size());
  auto end = static_cast<std::uint32_t>(program.code.size());
  for (std::size_t i = program.code.size(); i-- > 0;) {
    statementEnd[i] = end - 1;
    if (program.code[i].op == Opcode::Statement) end = static_cast<std::uint32_t>(i);
  }
  for (Interval& interval : all) {
    for (const LoopSpan& loop : loops) {
      const bool apart = interval.end < loop.begin || interval.begin > loop.end;
      const bool inside = interval.begin >= loop.begin && interval.end <= loop.end;
      if (apart || inside) continue;
      interval.begin = std::min(interval.begin, loop.begin);
      interval.end = std::max(interval.end, loop.end);
    }
    interval.end = statementEnd[interval.end];
  }
}

/// For each temporary, the temporary whose register it takes over (itself: a register of its own).
std::vector<RegisterId> shareRegisters(std::vector<Interval> all, const Program& program) {
  std::vector<RegisterId> owner(program.registers.size(), kNone);
  std::ranges::sort(
      all, [](const Interval& a, const Interval& b) { return a.begin != b.begin ? a.begin < b.begin : a.reg < b.reg; });
  std::map<ValueType, std::vector<RegisterId>> free;
  std::vector<Interval> live;  // reg: the owner
  for (const Interval& interval : all) {
    std::erase_if(live, [&](const Interval& other) {
      if (other.end >= interval.begin) return false;
      free[program.registers[other.reg].type].push_back(other.reg);
      return true;
    });
    std::vector<RegisterId>& pool = free[program.registers[interval.reg].type];
    RegisterId taken = interval.reg;
    if (!pool.empty()) {
      taken = pool.back();
      pool.pop_back();
    }
    owner[interval.reg] = taken;
    live.push_back({taken, interval.begin, interval.end});
  }
  return owner;
}

/// Lets temporaries share registers once they are dead, and drops unused registers, so that a warp's register file
/// stays in the cache. Two temporaries of one statement never share a register, so that both can be shown.
void compactRegisters(Program& program) {
  std::vector<Interval> all = intervals(program);
  widen(all, program);
  const std::vector<RegisterId> owner = shareRegisters(std::move(all), program);

  std::vector<bool> used(program.registers.size());
  for (Instruction& instruction : program.code) {
    for (RegisterId* reg : operands(instruction)) {
      if (*reg == kNone) continue;
      if (owner[*reg] != kNone) *reg = owner[*reg];
      used[*reg] = true;
    }
  }
  for (const Variable& variable : program.variables) { used[variable.reg] = true; }

  std::vector<RegisterId> moved(program.registers.size(), kNone);
  std::vector<Register> kept;
  for (RegisterId i = 0; i < program.registers.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<RegisterId>(kept.size());
    kept.push_back(program.registers[i]);
  }
  program.registers = std::move(kept);
  for (Instruction& instruction : program.code) {
    for (RegisterId* reg : operands(instruction)) {
      if (*reg != kNone) *reg = moved[*reg];
    }
  }
  for (Variable& variable : program.variables) { variable.reg = moved[variable.reg]; }
}

/// The objects that a register may point into: none yet, one, or more than one.
struct Origin {
  enum class Known { Nothing, One, Many };
  Known known = Known::Nothing;
  ObjectId object = kNone;
  bool mapped = false;  ///< it may be that of another block of the cluster

  /// Joins another origin; returns whether anything changed.
  bool join(const Origin& other) {
    const bool changes = joinObject(other) || (other.mapped && !mapped);
    mapped = mapped || other.mapped;
    return changes;
  }
  bool joinObject(const Origin& other) {
    if (other.known == Known::Nothing || known == Known::Many) return false;
    if (known == Known::Nothing) {
      known = other.known;
      object = other.object;
      return true;
    }
    if (other.known == Known::One && other.object == object) return false;
    known = Known::Many;
    return true;
  }
};

constexpr Origin one(ObjectId object) { return {Origin::Known::One, object, false}; }

constexpr Origin many() { return {Origin::Known::Many, kNone, false}; }

/// The origin of the destination of an instruction.
Origin result(const Instruction& instruction, const std::vector<Origin>& origins) {
  switch (instruction.op) {
    case Opcode::Offset:
    case Opcode::Assign:
      return origins[instruction.a];
    case Opcode::MapShared: {
      Origin other = origins[instruction.a];
      other.mapped = true;
      return other;
    }
    case Opcode::Convert:
      return instruction.a == kNone ? many() : origins[instruction.a];
    case Opcode::Select: {
      Origin both = origins[instruction.b];
      both.join(origins[instruction.c]);
      return both;
    }
    default:
      return many();
  }
}

void checkMapped(const Program& program, const Instruction& map, const Origin& origin) {
  if (origin.known != Origin::Known::One) { return; }
  const MemoryObject& object = program.objects[origin.object];
  if (object.space == MemorySpace::Shared) { return; }
  throw LoweringError(map.range,
                      "'" + object.name + tr("' is not in shared memory: only that of other blocks can be mapped"));
}

/// Determines the object of every Load, Store and atomic whose pointer can only point into one. Flow-insensitive: a
/// pointer variable has an object if all values assigned to it are derived from that object.
void traceObjects(Program& program) {
  std::vector<Origin> origins(program.registers.size());
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const Register& reg = program.registers[i];
    if (reg.type != ValueType::Pointer) {
      origins[i] = many();  // an integer turned into a pointer
    } else if (reg.kind == RegisterKind::Constant) {
      const ObjectId object = PackedPointer::object(reg.bits);
      // A null pointer adds no object: its use is a fault anyway.
      if (object < program.objects.size()) origins[i] = one(object);
    }
  }
  for (const Parameter& parameter : program.parameters) {
    if (parameter.object != kNone) { origins[program.variables[parameter.variable].reg] = one(parameter.object); }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : program.code) {
      if (instruction.dst == kNone || program.registers[instruction.dst].type != ValueType::Pointer) continue;
      changed |= origins[instruction.dst].join(result(instruction, origins));
    }
  }
  const bool clusters = accessesCluster(program);
  for (Instruction& instruction : program.code) {
    if (instruction.op == Opcode::MapShared) { checkMapped(program, instruction, origins[instruction.a]); }
    if (!isAccess(instruction.op)) continue;
    const Origin& origin = origins[instruction.a];
    instruction.aux = origin.known == Origin::Known::One ? origin.object : kNone;
    instruction.mapped = origin.mapped || (clusters && instruction.aux == kNone);
  }
}

std::string constructName(const clang::Stmt* node) {
  switch (node->getStmtClass()) {
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
      return tr("goto statement");
    case clang::Stmt::LabelStmtClass:
      return "label";
    case clang::Stmt::GCCAsmStmtClass:
    case clang::Stmt::MSAsmStmtClass:
      return tr("inline assembly");
    case clang::Stmt::CXXForRangeStmtClass:
      return tr("range-based for loop");
    case clang::Stmt::CXXTryStmtClass:
      return tr("try block");
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
      return tr("case label inside another statement");
    case clang::Stmt::StmtExprClass:
      return tr("statements inside an expression");
    case clang::Stmt::StringLiteralClass:
      return "string";
    case clang::Stmt::RecoveryExprClass:
      return tr("code with errors");
    case clang::Stmt::CXXNewExprClass:
      return "new";
    case clang::Stmt::CXXDeleteExprClass:
      return "delete";
    case clang::Stmt::CXXThisExprClass:
      return tr("'this' as a pointer");
    case clang::Stmt::BinaryConditionalOperatorClass:
      return tr("operator ?: without its middle operand");
    case clang::Stmt::CompoundLiteralExprClass:
      return tr("compound literal");
    case clang::Stmt::CXXDynamicCastExprClass:
      return "dynamic_cast";
    case clang::Stmt::CXXTypeidExprClass:
      return "typeid";
    case clang::Stmt::CXXStdInitializerListExprClass:
      return "std::initializer_list";
    default:
      return std::string(tr("construct (")) + node->getStmtClassName() + ")";
  }
}

}  // namespace

KernelLowering::KernelLowering(const ClangSession& session, bool executed)
    : session_(session), context_(session.context()), types_(context_), executed_(executed) {}

SourceRange KernelLowering::range(const clang::SourceRange& where) const {
  return !frames_.empty() && frame().transparent ? frame().calledAt : session_.range(where);
}

void KernelLowering::refuse(const clang::SourceRange& where, const std::string& construct) const {
  throw LoweringError(range(where), tr("unsupported: ") + construct);
}

void KernelLowering::refuse(const clang::Stmt* node) const { refuse(node, constructName(node)); }

void KernelLowering::warn(const clang::Stmt* node, const std::string& message) {
  warnings_.push_back({Diagnostic::Severity::Warning, range(node), message});
}

bool KernelLowering::isScalar(clang::QualType type) { return type.getNonReferenceType()->isScalarType(); }

ValueType KernelLowering::scalarType(clang::QualType type, const clang::SourceRange& where) const {
  const auto value = types_.scalar(type);
  if (!value) refuse(where, tr("type ") + type.getAsString());
  return *value;
}

std::vector<TypeLayout::Leaf> KernelLowering::leaves(clang::QualType type, const SourceRange& where) const {
  auto all = types_.leaves(type.getNonReferenceType());
  if (!all) throw LoweringError(where, tr("unsupported: value of type ") + type.getAsString());
  return std::move(*all);
}

Program KernelLowering::lower(const clang::FunctionDecl& function, const std::string& name) {
  Program& program = builder_.program();
  program.kernel = name;
  program.kernelRange = session_.range(function.getSourceRange());
  program.functions.push_back({name, program.kernelRange, {}});
  frames_.emplace_back();
  frame().function = &function;
  scopes_.push_back(range(function.getBody()));
  examineBody(function.getBody());
  if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function.getBody()); body && !body->body_empty()) {
    frame().trailingReturn = llvm::dyn_cast<clang::ReturnStmt>(body->body_back());
  }
  if (const auto* bounds = function.getAttr<clang::CUDALaunchBoundsAttr>()) {
    clang::Expr::EvalResult threads;
    const clang::Expr* const given = bounds->getMaxThreads();
    if (given != nullptr && !given->isValueDependent() && given->EvaluateAsInt(threads, context_)) {
      program.maxThreads = threads.Val.getInt().getLimitedValue();
    }
  }
  clusterDims(function);
  checkConstantMemory(context_.getTranslationUnitDecl());
  parameters(function);
  startClock(program.kernelRange);
  statement(function.getBody());
  builder_.control(Opcode::End, range(clang::SourceRange(function.getBody()->getEndLoc())));
  eliminateCopies(program);
  traceObjects(program);
  checkStores();
  compactRegisters(program);
  return std::move(program);
}

}  // namespace haloscope::lowering
