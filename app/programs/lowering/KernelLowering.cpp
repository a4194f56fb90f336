#include "lowering/KernelLowering.h"

#include <utility>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/CopyElimination.h"
#include "lowering/LoweringError.h"
#include "lowering/ObjectTracing.h"
#include "lowering/RegisterCompaction.h"

namespace haloscope::lowering {

namespace {

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
