#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecordLayout.h>

#include "language/Text.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"

// The kernel's parameters: a register for each scalar, an object for each pointer, and an object in constant memory for
// each array in a struct.

namespace haloscope::lowering {

void KernelLowering::parameters(const clang::FunctionDecl& function) {
  Program& program = builder_.program();
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const clang::QualType type = parameter->getType();
    Parameter described{.name = parameter->getNameAsString(), .declared = range(parameter->getSourceRange())};
    described.argument = static_cast<std::uint32_t>(program.argumentBytes.size());
    const auto all = isScalar(type) ? std::nullopt : types_.leaves(type);
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const bool closure = record != nullptr && record->isLambda();
    if (!isScalar(type) && (!all || closure)) {
      const std::string what = closure ? tr("a lambda") : type.getAsString();
      refuse(parameter->getSourceRange(), "parameter '" + described.name + tr("' of type ") + what);
    }
    program.argumentBytes.push_back(types_.bytes(type));
    const Place place = parameterPlace(parameter, type, described);
    places_[parameter] = place;
    if (addressTaken_.contains(parameter) && !place.inMemory()) {
      const Parts given = read(place, type, described.declared);
      write(declareLocalMemory(parameter), type, given, described.declared);
    }
  }
}

KernelLowering::Place KernelLowering::parameterPlace(const clang::ParmVarDecl* parameter, clang::QualType type,
                                                     const Parameter& described) {
  if (isScalar(type)) return scalarParameter(parameter, type, described);
  if (type->isArrayType()) return arrayParameter(parameter, type, described);
  const auto* record = type->getAsCXXRecordDecl();
  // Its address is that of the parameter itself, which is in constant memory.
  if (record->getName() == "CUtensorMap_st")
    return arrayParameter(parameter, record->field_begin()->getType(), described);
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
  const bool split = types_.containsArray(type);
  Place all;
  for (const clang::FieldDecl* field : record->fields()) {
    Parameter part = described;
    part.name += "." + field->getNameAsString();
    part.argumentOffset += static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
    Place place = parameterPlace(parameter, field->getType(), part);
    if (split) {
      all.fields.push_back({field, std::move(place)});
    } else {
      all.registers.insert(all.registers.end(), place.registers.begin(), place.registers.end());
    }
  }
  return all;
}

std::optional<ValueType> KernelLowering::elementBehind(clang::QualType pointee) const {
  const auto memory = pointee->isVoidType() ? std::nullopt : types_.memory(pointee);
  if (!executed_) {
    // What structs of several types hold, only a program that is executed can say.
    const bool plain = memory && memory->element != ValueType::Pointer && memory->members.empty();
    return plain ? std::optional(memory->element) : std::nullopt;
  }
  if (pointee->isVoidType() || (!memory && (types_.leaves(pointee) || types_.words(pointee)))) { return ValueType::U8; }
  if (!memory) { return std::nullopt; }
  // Of a table, the arrays that its pointers point to must have elements of their own.
  const bool isTable = memory->element == ValueType::Pointer;
  if (isTable && pointee->isPointerType() && pointee->getPointeeType()->isPointerType()) { return std::nullopt; }
  return memory->element;
}

KernelLowering::Place KernelLowering::scalarParameter(const clang::ParmVarDecl* parameter, clang::QualType type,
                                                      Parameter described) {
  Program& program = builder_.program();
  const clang::SourceRange where = parameter->getSourceRange();
  described.type = scalarType(type, where);
  if (type->isPointerType()) {
    const clang::QualType pointee = type->getPointeeType();
    const auto element = elementBehind(pointee);
    if (!element) { refuse(where, "parameter '" + described.name + tr("' of type ") + type.getAsString()); }
    described.object = static_cast<ObjectId>(program.objects.size());
    program.objects.push_back({.name = described.name,
                               .space = MemorySpace::Global,
                               .element = *element,
                               .extents = {},
                               .declared = range(where),
                               .readOnly = context_.getBaseElementType(pointee).isConstQualified(),
                               .extentsAtLaunch = true,
                               .initial = {}});
    if (auto memory = pointee->isVoidType() ? std::nullopt : types_.memory(pointee)) {
      program.objects.back().members = std::move(memory->members);
      program.objects.back().structBytes = memory->structBytes;
    }
  }
  const VariableId id = builder_.variable({.name = described.name,
                                           .declared = range(where),
                                           .scope = scopeOf(parameter),
                                           .function = frame().index,
                                           .parameter = true},
                                          described.type);
  described.variable = id;
  variables_.try_emplace(parameter, id);
  const Scalar reg{program.variables[id].reg, described.type};
  program.parameters.push_back(std::move(described));
  return {.registers = {reg}, .pointer = {}};
}

KernelLowering::Place KernelLowering::arrayParameter(const clang::ParmVarDecl* parameter, clang::QualType type,
                                                     const Parameter& described) {
  const ObjectId object = addObject(parameter, MemorySpace::Constant, type, described.name);
  MemoryObject& memory = builder_.program().objects[object];
  const auto* record = parameter->getType()->getAsCXXRecordDecl();
  memory.tensorMap = record != nullptr && record->getName() == "CUtensorMap_st";
  if (memory.element == ValueType::Pointer && !executed_ && !memory.tensorMap) {
    refuse(parameter->getSourceRange(), tr("array of pointers '") + described.name + tr("' in a parameter"));
  }
  memory.argument = described.argument;
  memory.argumentOffset = described.argumentOffset;
  return {.registers = {}, .pointer = builder_.pointerTo(object)};
}

void KernelLowering::checkStores() {
  const Program& program = builder_.program();
  for (const Instruction& code : program.code) {
    if (!writesMemory(code.op) || code.aux == kNone) continue;
    const MemoryObject& object = program.objects[code.aux];
    if (code.async && !code.bulk && object.space != MemorySpace::Shared) {
      throw LoweringError(
          code.range, tr("unsupported: asynchronous copy to '") + object.name + tr("', which is not in shared memory"));
    }
    if (object.space != MemorySpace::Constant || object.argument == kNone) continue;
    throw LoweringError(code.range,
                        tr("unsupported: assignment to '") + object.name + tr("', an array in a parameter"));
  }
}

}  // namespace haloscope::lowering
