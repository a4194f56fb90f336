#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// Storage: objects in memory, the places of glvalues, reads and writes. Declarations are in
// DeclarationLowering.cpp.

namespace haloscope::lowering {

namespace {

constexpr std::int64_t kMaxLocalBytes = 512 * 1024;  // of one thread: CUDA's limit
constexpr std::int64_t kMaxStaticBytes = 1LL << 30;  // of shared and global arrays: more than any GPU allows

}  // namespace

// --- objects

ObjectId KernelLowering::addObject(const clang::VarDecl* variable, MemorySpace space) {
  std::string name = variable->getNameAsString();
  // weights<float> and weights<double> are two variables.
  if (const auto* instance = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(variable)) {
    llvm::raw_string_ostream stream(name);
    clang::printTemplateArgumentList(stream, instance->getTemplateArgs().asArray(), context_.getPrintingPolicy());
  }
  return addObject(variable, space, variable->getType(), name);
}

ObjectId KernelLowering::addObject(const clang::VarDecl* variable, MemorySpace space, clang::QualType type,
                                   const std::string& name) {
  const clang::SourceRange where = variable->getSourceRange();
  const std::string typeName = type.getAsString();
  bool atLaunch = false;
  if (const clang::IncompleteArrayType* array = context_.getAsIncompleteArrayType(type)) {
    atLaunch = true;
    type = array->getElementType();
  } else if (type->isIncompleteArrayType() || type->isVariableArrayType()) {
    refuse(where, tr("array without a constant size"));
  }
  auto memory = types_.memory(type);
  if (!memory && space == MemorySpace::Shared && !atLaunch) memory = types_.words(type);
  if (!memory) refuse(where, tr("array or variable of type ") + typeName + tr(" in memory"));
  MemoryObject object{.name = name,
                      .space = space,
                      .element = memory->element,
                      .extents = memory->extents,
                      .declared = range(where),
                      .readOnly = space == MemorySpace::Constant,
                      .extentsAtLaunch = atLaunch,
                      .initial = {},
                      .members = memory->members,
                      .structBytes = memory->structBytes};
  if (atLaunch) {
    for (const MemoryObject& other : builder_.program().objects) {
      if (other.extentsAtLaunch && other.space == MemorySpace::Shared) {
        refuse(where, tr("a second extern __shared__ array: it would share the memory of '") + other.name + "'");
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
      throw LoweringError(range(where), "'" + object.name + tr("' takes ") + std::to_string(bytes) +
                                            tr(" bytes; at most ") + std::to_string(limit) + tr(" fit into ") +
                                            haloscope::name(space) + tr(" memory"));
    }
    if (bytes == 0) throw LoweringError(range(where), "array '" + object.name + tr("' has no elements"));
  }
  builder_.program().objects.push_back(std::move(object));
  return static_cast<ObjectId>(builder_.program().objects.size() - 1);
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
    refuse(at, (isStatic ? tr("static variable '") : "variable '") + variable->getNameAsString() +
                   (isStatic ? "'" : tr("' of the host")));
  }
  const clang::VarDecl* definition = variable->getDefinition();
  const ObjectId object = addObject(definition == nullptr ? variable : definition, space);
  if (space != MemorySpace::Shared) {
    MemoryObject& memory = builder_.program().objects[object];
    memory.initial = inWords(memory, initialBits(variable));
    memory.ofText = space == MemorySpace::Constant && !variable->hasAttr<clang::CUDAConstantAttr>();
  }
  objects_[key] = object;
  return {.registers = {}, .pointer = builder_.pointerTo(object)};
}

// --- places

KernelLowering::Place KernelLowering::place(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (expression->isGLValue()) {
    if (auto done = assigned(expression)) return std::move(done->target);
  }
  if (const auto* node = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return variablePlace(node);
  if (const auto* node = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    checkHostTable(node);
    const Scalar base = keep(scalar(node->getBase()), node->getIdx());
    const Scalar index = scalar(node->getIdx());
    // An access outside the row of `tile[i][j]` may still lie inside the array.
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
    if (node->getOpcode() == clang::UO_Extension) return place(node->getSubExpr());
  }
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(expression);
      node != nullptr && node->getOpcode() == clang::BO_Comma) {
    discard(node->getLHS());
    return place(node->getRHS());
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
      refuse(expression, tr("conditional expression as the target of an assignment"));
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
  if (variable == nullptr) refuse(expression, "'" + expression->getDecl()->getNameAsString() + tr("' as a value"));
  const auto known = places_.find(variable);
  if (known != places_.end()) return known->second;
  if (!session_.inUserText(variable->getLocation())) {
    const std::string name = variable->getNameAsString();
    const int first = name == "threadIdx"              ? static_cast<int>(Builtin::ThreadIdxX)
                      : name == "blockIdx"             ? static_cast<int>(Builtin::BlockIdxX)
                      : name == "blockDim"             ? static_cast<int>(Builtin::BlockDimX)
                      : name == "gridDim"              ? static_cast<int>(Builtin::GridDimX)
                      : name == "haloscope_clusterDim" ? static_cast<int>(Builtin::ClusterDimX)
                                                       : -1;
    const std::array<std::uint32_t, 3>& cluster = builder_.program().clusterDims;
    const bool fixed = first == static_cast<int>(Builtin::ClusterDimX) && cluster[0] != 0;
    Place builtin;
    for (int axis = 0; axis < 3 && first >= 0; ++axis) {
      builtin.registers.push_back(fixed ? builder_.constant(ValueType::U32, cluster.at(static_cast<std::size_t>(axis)))
                                        : builder_.builtin(static_cast<Builtin>(first + axis)));
    }
    if (first >= 0) return builtin;
  }
  if (variable->hasGlobalStorage()) return globalPlace(variable, expression);
  // A constant without a variable so far: only its value is needed.
  if (const auto constant = constantVariable(variable, expression)) return {.registers = {*constant}, .pointer = {}};
  refuse(expression, tr("use of '") + variable->getNameAsString() + tr("' here"));
}

KernelLowering::Place KernelLowering::fieldOf(const Place& object, const clang::FieldDecl& field,
                                              const SourceRange& where) {
  for (const FieldPlace& one : object.fields) {
    if (one.field == &field) return one.place;
  }
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
  if (field == nullptr || field->isBitField()) refuse(expression, tr("this member"));
  const clang::Expr* base = expression->getBase()->IgnoreParens();
  if (!expression->isArrow()) return fieldOf(place(base), *field, range(expression));
  if (llvm::isa<clang::CXXThisExpr>(base->IgnoreParenImpCasts()) && frame().object) {
    return fieldOf(*frame().object, *field, range(expression));
  }
  return fieldOf({.registers = {}, .pointer = scalar(base)}, *field, range(expression));
}

Scalar KernelLowering::addressOf(const clang::Expr* expression) {
  const Place target = place(expression);
  if (!target.inMemory()) refuse(expression, tr("address of a variable that is kept in a register"));
  return target.pointer;
}

// --- reads and writes

Parts KernelLowering::read(const Place& place, clang::QualType type, const SourceRange& where) {
  Parts values;
  for (const FieldPlace& one : place.fields) {
    const Parts part = read(one.place, one.field->getType(), where);
    values.insert(values.end(), part.begin(), part.end());
  }
  if (place.isSplit()) return values;
  if (!place.inMemory()) return place.registers;
  for (const TypeLayout::Leaf& leaf : leaves(type, where)) {
    const Scalar offset = builder_.constant(ValueType::I64, static_cast<std::uint64_t>(leaf.byteOffset));
    const Scalar pointer = builder_.offset(place.pointer, offset, 1, where);
    values.push_back(builder_.load(pointer, leaf.type, where, leaf.part, type.isVolatileQualified()));
  }
  return values;
}

void KernelLowering::write(const Place& place, clang::QualType type, Parts values, const SourceRange& where) {
  std::size_t next = 0;
  for (const FieldPlace& one : place.fields) {
    const std::size_t count = leaves(one.field->getType(), where).size();
    Parts part;
    for (std::size_t i = 0; i < count; ++i) { part.push_back(values.at(next + i)); }
    write(one.place, one.field->getType(), std::move(part), where);
    next += count;
  }
  if (place.isSplit()) return;
  if (place.inMemory()) {
    const auto all = leaves(type, where);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Scalar offset = builder_.constant(ValueType::I64, static_cast<std::uint64_t>(all[i].byteOffset));
      builder_.store(builder_.offset(place.pointer, offset, 1, where), values.at(i), where, all[i].part,
                     type.isVolatileQualified());
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
    if (builder_.isImmutable(place.registers[i])) {
      throw LoweringError(where, tr("unsupported: assignment to a constant"));
    }
    builder_.assign(place.registers[i].reg, values[i], where);
  }
}

}  // namespace haloscope::lowering
