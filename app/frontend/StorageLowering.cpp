#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>

#include "frontend/KernelLowering.h"
#include "frontend/LoweringError.h"

// Where things are: variables in registers, arrays in memory, the places glvalues name, reads and writes.

namespace haloscope::frontend {

namespace {

constexpr std::int64_t kMaxLocalBytes = 512 * 1024;     // of one thread: CUDA's limit
constexpr std::int64_t kMaxConstantBytes = 64 * 1024;   // of all constant memory: CUDA's limit
constexpr std::int64_t kMaxStaticBytes = 1LL << 30;     // of shared and global arrays: beyond any GPU or any sense
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

const clang::APValue* KernelLowering::evaluated(const clang::VarDecl* variable) {
  const clang::VarDecl* initialized = nullptr;
  const clang::Expr* initializer = variable->getAnyInitializer(initialized);
  // An initialiser with an error in it (a host variable's, forgiven) has no value to ask for.
  const bool sound = initializer != nullptr && !initializer->isValueDependent() && !initializer->containsErrors();
  return sound ? initialized->evaluateValue() : nullptr;
}

// --- objects

ObjectId KernelLowering::addObject(const clang::VarDecl* variable, MemorySpace space) {
  const clang::SourceRange where = variable->getSourceRange();
  clang::QualType type = variable->getType();
  bool atLaunch = false;
  if (const clang::IncompleteArrayType* array = context_.getAsIncompleteArrayType(type)) {
    atLaunch = true;
    type = array->getElementType();
  } else if (type->isIncompleteArrayType() || type->isVariableArrayType()) {
    refuse(where, "array without a constant size");
  }
  const auto memory = types_.memory(type);
  if (!memory) refuse(where, "array or variable of type " + variable->getType().getAsString() + " in memory");
  MemoryObject object{.name = variable->getNameAsString(),
                      .space = space,
                      .element = memory->element,
                      .extents = memory->extents,
                      .declared = range(where),
                      .readOnly = space == MemorySpace::Constant,
                      .extentsAtLaunch = atLaunch,
                      .initial = {}};
  if (atLaunch) {
    for (const MemoryObject& other : builder_.program().objects) {
      if (other.extentsAtLaunch && other.space == MemorySpace::Shared) {
        refuse(where, "a second extern __shared__ array: it would share the memory of '" + other.name + "'");
      }
    }
    object.extents.clear();
  } else {
    // In bytes as Clang computes them: the product of the extents may overflow.
    const std::int64_t bytes = types_.bytes(type);
    const std::int64_t limit = space == MemorySpace::Local      ? kMaxLocalBytes
                               : space == MemorySpace::Constant ? kMaxConstantBytes
                                                                : kMaxStaticBytes;
    if (bytes > limit) {
      throw LoweringError(range(where), "'" + object.name + "' takes " + std::to_string(bytes) + " bytes; at most " +
                                            std::to_string(limit) + " fit into " + name(space) + " memory");
    }
    if (bytes == 0) throw LoweringError(range(where), "array '" + object.name + "' has no elements");
  }
  builder_.program().objects.push_back(std::move(object));
  return static_cast<ObjectId>(builder_.program().objects.size() - 1);
}

void KernelLowering::flatten(const clang::APValue& value, clang::QualType type, const clang::VarDecl* variable,
                             std::vector<std::uint64_t>& bits) {
  if (value.isInt()) {
    bits.push_back(static_cast<std::uint64_t>(value.getInt().getExtValue()));
  } else if (value.isFloat()) {
    bits.push_back(value.getFloat().bitcastToAPInt().getZExtValue());
  } else if (value.isArray()) {
    const clang::QualType element = context_.getAsArrayType(type)->getElementType();
    const unsigned given = value.getArrayInitializedElts();
    for (unsigned i = 0; i < value.getArraySize(); ++i) {
      flatten(i < given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), element, variable, bits);
    }
  } else if (value.isStruct()) {
    for (const clang::FieldDecl* field : type->getAsRecordDecl()->fields()) {
      flatten(value.getStructField(field->getFieldIndex()), field->getType(), variable, bits);
    }
  } else {
    refuse(variable->getSourceRange(), "this initialiser of '" + variable->getNameAsString() + "'");
  }
}

std::vector<std::uint64_t> KernelLowering::initialBits(const clang::VarDecl* variable) {
  const clang::Expr* initializer = variable->getAnyInitializer();
  if (initializer == nullptr) return {};
  // A struct's default constructor is no initialiser anyone wrote.
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(initializer->IgnoreImplicit());
      construct != nullptr && construct->getConstructor()->isTrivial() && construct->getNumArgs() == 0) {
    return {};
  }
  const clang::APValue* value = evaluated(variable);
  if (value == nullptr) refuse(variable->getSourceRange(), "an initialiser that is no constant");
  std::vector<std::uint64_t> bits;
  flatten(*value, variable->getType(), variable, bits);
  return bits;
}

bool KernelLowering::isConstantTable(const clang::VarDecl* variable) const {
  const bool constant = variable->isConstexpr() || context_.getBaseElementType(variable->getType()).isConstQualified();
  return constant && variable->getType()->isConstantArrayType() && variable->hasInit() &&
         evaluated(variable) != nullptr;
}

KernelLowering::Place KernelLowering::globalPlace(const clang::VarDecl* variable, const clang::Expr* at) {
  const clang::VarDecl* key = variable->getCanonicalDecl();
  const auto known = objects_.find(key);
  if (known != objects_.end()) return {.registers = {}, .pointer = builder_.pointerTo(known->second)};
  MemorySpace space = MemorySpace::Global;
  if (variable->hasAttr<clang::CUDASharedAttr>()) {
    space = MemorySpace::Shared;
  } else if (variable->hasAttr<clang::CUDAConstantAttr>() || isConstantTable(variable)) {
    space = MemorySpace::Constant;
  } else if (!variable->hasAttr<clang::CUDADeviceAttr>()) {
    const bool isStatic = variable->isStaticLocal();
    refuse(at, (isStatic ? "static variable '" : "variable '") + variable->getNameAsString() +
                   (isStatic ? "'" : "' of the host"));
  }
  const clang::VarDecl* definition = variable->getDefinition();
  const ObjectId object = addObject(definition == nullptr ? variable : definition, space);
  if (space != MemorySpace::Shared) builder_.program().objects[object].initial = initialBits(variable);
  objects_[key] = object;
  return {.registers = {}, .pointer = builder_.pointerTo(object)};
}

// --- declarations

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
  if (llvm::isa<clang::DecompositionDecl>(variable)) refuse(variable->getSourceRange(), "structured binding");
  if (variable->hasGlobalStorage()) {
    const bool fine = variable->hasAttr<clang::CUDASharedAttr>() || variable->hasAttr<clang::CUDAConstantAttr>() ||
                      type.isConstQualified() || isConstantTable(variable) || variable->isLocalExternDecl();
    if (!fine) refuse(variable->getSourceRange(), "static variable '" + variable->getNameAsString() + "'");
    // Listed even if nobody uses it: it takes shared memory, and a student looks for it.
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
    builder_.program().objects[object].initial = initialBits(variable);
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
  const bool inMemory = addressTaken_.contains(variable) || types_.containsArray(type);
  const Place place = inMemory ? declareLocalMemory(variable) : declareRegisters(variable, type);
  if (initialized) write(place, type, values, initializer);
}

void KernelLowering::initializeArray(Scalar pointer, clang::QualType type, const clang::Expr* initializer) {
  initializer = initializer->IgnoreParenImpCasts();
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(initializer)) initializer = node->getSubExpr();
  const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type);
  if (array == nullptr) {
    write({.registers = {}, .pointer = pointer}, type, parts(initializer), initializer);
    return;
  }
  if (types_.bytes(type) > kMaxInitializedElements) {
    const auto memory = types_.memory(type);
    std::int64_t count = 1;
    for (const std::int64_t extent : memory ? memory->extents : std::vector<std::int64_t>{}) { count *= extent; }
    if (count > kMaxInitializedElements) refuse(initializer, "initialiser of an array of this size");
  }
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(initializer);
  const bool allZero = llvm::isa<clang::ImplicitValueInitExpr>(initializer);
  if (list == nullptr && !allZero) refuse(initializer, "this initialiser of an array");
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
    if (depth > kMaxNesting) refuse(body->getBeginLoc(), "code nested this deep");
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node);
        unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
      const clang::VarDecl* variable = namedVariable(unary->getSubExpr());
      if (variable != nullptr && variable->hasLocalStorage()) addressTaken_.insert(variable);
    }
    for (const clang::Stmt* child : node->children()) { pending.push_back({child, depth + 1}); }
  }
}

// --- places

KernelLowering::Place KernelLowering::place(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* node = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return variablePlace(node);
  if (const auto* node = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const Scalar base = keep(scalar(node->getBase()), node->getIdx());
    const Scalar index = scalar(node->getIdx());
    // What leaves the row of `tile[i][j]` may still lie inside the array.
    const clang::Expr* outer = node->getBase()->IgnoreParenImpCasts();
    const auto* row = llvm::isa<clang::ArraySubscriptExpr>(outer)
                          ? llvm::dyn_cast_or_null<clang::ConstantArrayType>(outer->getType()->getAsArrayTypeUnsafe())
                          : nullptr;
    const std::int64_t extent = row != nullptr ? row->getSize().getSExtValue() : 0;
    return {.registers = {},
            .pointer = builder_.offset(base, index, types_.bytes(node->getType()), range(node), extent)};
  }
  if (const auto* node = llvm::dyn_cast<clang::MemberExpr>(expression)) return memberPlace(node);
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (node->getOpcode() == clang::UO_Deref) {
      if (llvm::isa<clang::CXXThisExpr>(node->getSubExpr()->IgnoreParenImpCasts()) && frame().object) {
        return *frame().object;
      }
      return {.registers = {}, .pointer = scalar(node->getSubExpr())};
    }
    if (node->isIncrementDecrementOp()) {
      increment(node, /*wantsValue=*/false);
      return place(node->getSubExpr());
    }
    if (node->getOpcode() == clang::UO_Extension) return place(node->getSubExpr());
  }
  if (const auto* node = llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) {
    compoundAssignment(node);
    return place(node->getLHS());
  }
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (node->getOpcode() == clang::BO_Comma) {
      discard(node->getLHS());
      return place(node->getRHS());
    }
    if (node->getOpcode() == clang::BO_Assign) {
      assignment(node);
      return place(node->getLHS());
    }
  }
  if (const auto* node = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::CastKind kind = node->getCastKind();
    if (kind == clang::CK_NoOp) return place(node->getSubExpr());
    if (kind == clang::CK_LValueBitCast) return {.registers = {}, .pointer = addressOf(node->getSubExpr())};
  }
  if (const auto* node = llvm::dyn_cast<clang::FullExpr>(expression)) return place(node->getSubExpr());
  if (const auto* node = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression)) {
    return place(node->getReplacement());
  }
  if (const auto* node = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
    return temporaryPlace(node->getSubExpr());
  }
  if (const auto* node = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const CallResult result = call(node);
    if (result.place) return *result.place;
  }
  if (const auto* node = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    const Scalar condition = scalar(node->getCond());
    if (builder_.isConstant(condition)) {
      return place(builder_.bits(condition) != 0 ? node->getTrueExpr() : node->getFalseExpr());
    }
    if (isHarmless(node->getTrueExpr()) || isHarmless(node->getFalseExpr())) {
      refuse(expression, "choice between variables as the target of an assignment");
    }
    const Scalar first = addressOf(node->getTrueExpr());
    return {.registers = {},
            .pointer = builder_.select(condition, first, addressOf(node->getFalseExpr()), range(expression))};
  }
  if (!expression->isGLValue()) return temporaryPlace(expression);
  refuse(expression);
}

KernelLowering::Place KernelLowering::temporaryPlace(const clang::Expr* expression) {
  Place result;
  for (const Scalar value : parts(expression)) { result.registers.push_back(builder_.copy(value, range(expression))); }
  return result;
}

KernelLowering::Place KernelLowering::variablePlace(const clang::DeclRefExpr* expression) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(expression->getDecl());
  if (variable == nullptr) refuse(expression, "'" + expression->getDecl()->getNameAsString() + "' as a value");
  const auto known = places_.find(variable);
  if (known != places_.end()) return known->second;
  if (!session_.inUserText(variable->getLocation())) {
    const std::string name = variable->getNameAsString();
    const int first = name == "threadIdx"  ? static_cast<int>(Builtin::ThreadIdxX)
                      : name == "blockIdx" ? static_cast<int>(Builtin::BlockIdxX)
                      : name == "blockDim" ? static_cast<int>(Builtin::BlockDimX)
                      : name == "gridDim"  ? static_cast<int>(Builtin::GridDimX)
                                           : -1;
    Place builtin;
    for (int axis = 0; axis < 3 && first >= 0; ++axis) {
      builtin.registers.push_back(builder_.builtin(static_cast<Builtin>(first + axis)));
    }
    if (first >= 0) return builtin;
  }
  if (variable->hasGlobalStorage()) return globalPlace(variable, expression);
  // A constant that needed no variable so far: only its value is wanted.
  if (const auto constant = constantVariable(variable, expression)) return {.registers = {*constant}, .pointer = {}};
  refuse(expression, "use of '" + variable->getNameAsString() + "' here");
}

KernelLowering::Place KernelLowering::fieldOf(const Place& object, const clang::FieldDecl& field,
                                              const SourceRange& where) {
  if (object.inMemory()) {
    const std::uint64_t bits = context_.getFieldOffset(&field);
    const Scalar bytes = builder_.constant(ValueType::I64, bits / 8);
    return {.registers = {}, .pointer = builder_.offset(object.pointer, bytes, 1, where)};
  }
  const auto [first, count] = types_.fieldLeaves(field);
  Place part;
  for (std::size_t i = first; i < first + count; ++i) { part.registers.push_back(object.registers.at(i)); }
  return part;
}

KernelLowering::Place KernelLowering::memberPlace(const clang::MemberExpr* expression) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(expression->getMemberDecl())) {
    return globalPlace(variable, expression);  // a static member
  }
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expression->getMemberDecl());
  if (field == nullptr || field->isBitField()) refuse(expression, "this member");
  const clang::Expr* base = expression->getBase()->IgnoreParens();
  if (!expression->isArrow()) return fieldOf(place(base), *field, range(expression));
  if (llvm::isa<clang::CXXThisExpr>(base->IgnoreParenImpCasts()) && frame().object) {
    return fieldOf(*frame().object, *field, range(expression));
  }
  return fieldOf({.registers = {}, .pointer = scalar(base)}, *field, range(expression));
}

Scalar KernelLowering::addressOf(const clang::Expr* expression) {
  const Place target = place(expression);
  if (!target.inMemory()) refuse(expression, "address of a variable that is kept in a register");
  return target.pointer;
}

// --- reads and writes

Parts KernelLowering::read(const Place& place, clang::QualType type, const clang::Expr* at) {
  if (!place.inMemory()) return place.registers;
  Parts values;
  for (const TypeLayout::Leaf& leaf : leaves(type, at->getSourceRange())) {
    const Scalar offset = builder_.constant(ValueType::I64, static_cast<std::uint64_t>(leaf.byteOffset));
    const Scalar pointer = builder_.offset(place.pointer, offset, 1, range(at));
    values.push_back(builder_.load(pointer, leaf.type, range(at)));
  }
  return values;
}

void KernelLowering::write(const Place& place, clang::QualType type, Parts values, const clang::Expr* at) {
  const SourceRange where = range(at);
  if (place.inMemory()) {
    const auto all = leaves(type, at->getSourceRange());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Scalar offset = builder_.constant(ValueType::I64, static_cast<std::uint64_t>(all[i].byteOffset));
      builder_.store(builder_.offset(place.pointer, offset, 1, where), values.at(i), where);
    }
    return;
  }
  // {a.y, a.x} into {a.x, a.y}: the second must be read before the first is written.
  for (std::size_t i = 0; values.size() > 1 && i < values.size(); ++i) {
    const bool overwritten =
        std::ranges::any_of(place.registers.begin(), place.registers.begin() + static_cast<std::ptrdiff_t>(i),
                            [&](const Scalar target) { return target.reg == values[i].reg; });
    if (overwritten) values[i] = builder_.copy(values[i], where);
  }
  for (std::size_t i = 0; i < place.registers.size(); ++i) {
    if (place.registers[i].reg == values.at(i).reg) continue;
    if (builder_.isImmutable(place.registers[i])) refuse(at, "assignment to a constant");
    builder_.assign(place.registers[i].reg, values[i], where);
  }
}

}  // namespace haloscope::frontend
