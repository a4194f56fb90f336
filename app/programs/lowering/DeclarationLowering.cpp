#include <utility>

#include <clang/AST/ASTContext.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Declarations: variables in registers, arrays in memory, initialisers, references.

namespace haloscope::lowering {

namespace {

constexpr std::int64_t kMaxInitializedElements = 4096;  // each is an instruction
constexpr int kMaxNesting = 2000;                       // levels of the syntax tree; a sum of n terms has n

/// The variable behind `x`, `x.y`, `x.y.z`; null behind a pointer or a subscript.
const clang::VarDecl* namedVariable(const clang::Expr* expression) {
  expression = expression->IgnoreParenCasts();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (member->isArrow()) return nullptr;
    expression = member->getBase()->IgnoreParenCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

}  // namespace

SourceRange KernelLowering::scopeOf(const clang::VarDecl* variable) const {
  SourceRange scope = range(variable->getSourceRange());
  if (!scopes_.empty()) {
    scope.endLine = scopes_.back().endLine;
    scope.endColumn = scopes_.back().endColumn;
  }
  return scope;
}

KernelLowering::Place KernelLowering::declareRegisters(const clang::VarDecl* variable, clang::QualType type) {
  Place place;
  const std::string name = variable->getNameAsString();
  bool first = true;
  for (const TypeLayout::Leaf& leaf : leaves(type, variable->getSourceRange())) {
    if (frame().transparent) {
      place.registers.push_back(builder_.temporary(leaf.type));
      continue;
    }
    const VariableId id = builder_.variable({.name = name + leaf.name,
                                             .declared = range(variable->getSourceRange()),
                                             .scope = scopeOf(variable),
                                             .function = frame().index},
                                            leaf.type);
    if (std::exchange(first, false)) variables_[variable] = id;
    place.registers.push_back({builder_.program().variables[id].reg, leaf.type});
  }
  places_[variable] = place;
  return place;
}

KernelLowering::Place KernelLowering::declareStorage(const clang::VarDecl* variable, clang::QualType type) {
  if (addressTaken_.contains(variable)) return declareLocalMemory(variable);
  if (!types_.containsArray(type)) return declareRegisters(variable, type);
  // A struct of several types keeps its scalars in registers; an array of them cannot.
  const auto memory = types_.memory(type);
  const bool together = memory && (memory->members.empty() || type->isArrayType());
  return together ? declareLocalMemory(variable) : declareSplit(variable);
}

KernelLowering::Place KernelLowering::declareSplit(const clang::VarDecl* variable) {
  static_cast<void>(leaves(variable->getType(), variable->getSourceRange()));  // refuses types that it cannot hold
  Place place = splitPlace(variable, variable->getType(), variable->getNameAsString());
  places_[variable] = place;
  return place;
}

KernelLowering::Place KernelLowering::splitPlace(const clang::VarDecl* variable, clang::QualType type,
                                                 const std::string& name) {
  if (type->isArrayType()) {
    const ObjectId object = addObject(variable, MemorySpace::Local, type, name);
    return {.registers = {}, .pointer = builder_.pointerTo(object)};
  }
  if (const auto scalar = types_.scalar(type)) {
    if (frame().transparent) return {.registers = {builder_.temporary(*scalar)}, .pointer = {}};
    const VariableId id = builder_.variable({.name = name,
                                             .declared = range(variable->getSourceRange()),
                                             .scope = scopeOf(variable),
                                             .function = frame().index},
                                            *scalar);
    return {.registers = {{builder_.program().variables[id].reg, *scalar}}, .pointer = {}};
  }
  Place place;
  for (const clang::FieldDecl* field : type->getAsCXXRecordDecl()->fields()) {
    place.fields.push_back({field, splitPlace(variable, field->getType(), name + "." + field->getNameAsString())});
  }
  return place;
}

KernelLowering::Place KernelLowering::declareLocalMemory(const clang::VarDecl* variable) {
  const ObjectId object = addObject(variable, MemorySpace::Local);
  builder_.program().objects[object].readOnly = context_.getBaseElementType(variable->getType()).isConstQualified();
  Place place{.registers = {}, .pointer = builder_.pointerTo(object)};
  places_[variable] = place;
  return place;
}

bool KernelLowering::producesCode(const clang::VarDecl* variable) const {
  const clang::Expr* initializer = variable->getInit();
  if (initializer == nullptr || variable->hasGlobalStorage() || isConstantTable(variable)) return false;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(initializer->IgnoreImplicit())) {
    return lambda->capture_size() > 0 && lambda->getCaptureDefault() != clang::LCD_ByRef;
  }
  const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(initializer->IgnoreImplicit());
  return construct == nullptr || construct->getNumArgs() > 0 || !construct->getConstructor()->isTrivial() ||
         construct->requiresZeroInitialization();
}

void KernelLowering::declare(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (llvm::isa<clang::DecompositionDecl>(variable)) refuse(variable->getSourceRange(), tr("structured binding"));
  if (variable->hasGlobalStorage()) {
    const bool fine = variable->hasAttr<clang::CUDASharedAttr>() || variable->hasAttr<clang::CUDAConstantAttr>() ||
                      type.isConstQualified() || isConstantTable(variable) || variable->isLocalExternDecl();
    if (!fine) refuse(variable->getSourceRange(), tr("static variable '") + variable->getNameAsString() + "'");
    // Listed even if unused: it takes shared memory, and the user looks for it.
    if (variable->hasAttr<clang::CUDASharedAttr>()) globalPlace(variable, nullptr);
    return;
  }
  const clang::Expr* initializer = variable->getInit();
  if (type->isReferenceType()) {
    declareReference(variable, bindable(initializer));
    return;
  }
  if (isConstantTable(variable)) {
    const ObjectId object = addObject(variable, MemorySpace::Constant);
    MemoryObject& memory = builder_.program().objects[object];
    memory.initial = inWords(memory, initialBits(variable));
    memory.ofText = true;
    places_[variable] = {.registers = {}, .pointer = builder_.pointerTo(object)};
    return;
  }
  if (type->isArrayType()) {
    const Place array = declareLocalMemory(variable);
    if (producesCode(variable)) initializeArray(array.pointer, type, initializer);
    return;
  }
  Parts values;
  const bool initialized =
      producesCode(variable) || (initializer != nullptr && types_.leaves(type) && types_.leaves(type)->empty());
  if (initialized) values = parts(initializer);
  const Place place = declareStorage(variable, type);
  if (initialized) write(place, type, values, initializer);
}

void KernelLowering::initializeArray(Scalar pointer, clang::QualType type, const clang::Expr* initializer) {
  const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type);
  if (array == nullptr) {
    write({.registers = {}, .pointer = pointer}, type, parts(initializer), initializer->IgnoreParenImpCasts());
    return;
  }
  initializer = initializer->IgnoreParenImpCasts();
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(initializer)) initializer = node->getSubExpr();
  if (types_.bytes(type) > kMaxInitializedElements) {
    const auto memory = types_.memory(type);
    std::int64_t count = 1;
    for (const std::int64_t extent : memory ? memory->extents : std::vector<std::int64_t>{}) { count *= extent; }
    if (count > kMaxInitializedElements) refuse(initializer, tr("initialiser of an array this large"));
  }
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(initializer);
  const bool allZero = llvm::isa<clang::ImplicitValueInitExpr>(initializer);
  if (list == nullptr && !allZero) refuse(initializer, tr("this initialiser of an array"));
  const clang::QualType element = array->getElementType();
  for (std::uint64_t i = 0; i < array->getSize().getLimitedValue(); ++i) {
    const clang::Expr* value = initializer;
    if (list != nullptr) {
      const bool given = i < list->getNumInits();
      value = given ? list->getInit(static_cast<unsigned>(i)) : list->getArrayFiller();
    }
    const Scalar index = builder_.constant(ValueType::I64, i);
    const Scalar target = builder_.offset(pointer, index, types_.bytes(element), range(initializer));
    if (value != nullptr && !llvm::isa<clang::ImplicitValueInitExpr>(value)) {
      initializeArray(target, element, value);
    } else if (element->isArrayType()) {
      const clang::ImplicitValueInitExpr zero(element);
      initializeArray(target, element, &zero);
    } else {
      write({.registers = {}, .pointer = target}, element, zeros(element, initializer->getSourceRange()), initializer);
    }
  }
}

KernelLowering::Argument KernelLowering::bindable(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return bindable(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression)) return bindable(node->getExpr());
  if (const auto* node = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    return {.values = parts(node->getSubExpr()), .place = {}};
  }
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression);
      node != nullptr && node->getCastKind() == clang::CK_NoOp && node->getSubExpr()->isGLValue()) {
    return bindable(node->getSubExpr());
  }
  if (const auto constant = constantValue(expression)) return {.values = {*constant}, .place = {}};
  return {.values = {}, .place = place(expression)};
}

void KernelLowering::declareReference(const clang::VarDecl* variable, Argument bound) {
  const clang::QualType type = variable->getType().getNonReferenceType();
  if (!bound.place) {
    const Place own = declareRegisters(variable, type);
    for (std::size_t i = 0; i < own.registers.size(); ++i) {
      builder_.assign(own.registers[i].reg, bound.values.at(i), range(variable->getSourceRange()));
    }
    return;
  }
  // A computed address must outlive the temporaries of this statement.
  if (bound.place->inMemory() && !builder_.isConstant(bound.place->pointer)) {
    const Place pointer = declareRegisters(variable, context_.getPointerType(type));
    builder_.assign(pointer.registers.at(0).reg, bound.place->pointer, range(variable->getSourceRange()));
    bound.place->pointer = pointer.registers.at(0);
  }
  places_[variable] = *bound.place;
}

void KernelLowering::examineBody(const clang::Stmt* body) {
  struct Pending {
    const clang::Stmt* node;
    int depth;
  };
  std::vector<Pending> pending{{body, 0}};
  while (!pending.empty()) {
    const auto [node, depth] = pending.back();
    pending.pop_back();
    if (node == nullptr) continue;
    if (depth > kMaxNesting) refuse(body->getBeginLoc(), tr("code nested this deeply"));
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node);
        unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
      const clang::VarDecl* variable = namedVariable(unary->getSubExpr());
      if (variable != nullptr && variable->hasLocalStorage()) addressTaken_.insert(variable);
    }
    for (const clang::Stmt* child : node->children()) { pending.push_back({child, depth + 1}); }
  }
}

}  // namespace haloscope::lowering
