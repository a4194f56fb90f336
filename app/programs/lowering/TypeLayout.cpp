#include "lowering/TypeLayout.h"

#include <algorithm>
#include <bit>
#include <set>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>

namespace haloscope::lowering {

namespace {

constexpr std::int64_t kWidestAccess = 16;  // bytes of a lane

}  // namespace

std::optional<ValueType> TypeLayout::scalar(clang::QualType type) const {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType()) return ValueType::Bool;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float16)) return ValueType::F16;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float)) return ValueType::F32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double)) return ValueType::F64;
  if (type->isNullPtrType()) return ValueType::Pointer;
  if (type->isPointerType() && !type->isFunctionPointerType()) return ValueType::Pointer;
  if (type->isBitIntType() || !type->isIntegralOrEnumerationType()) return std::nullopt;
  const bool isSignedType = type->isSignedIntegerOrEnumerationType();
  switch (context_.getIntWidth(type)) {
    case 8:
      return isSignedType ? ValueType::I8 : ValueType::U8;
    case 16:
      return isSignedType ? ValueType::I16 : ValueType::U16;
    case 32:
      return isSignedType ? ValueType::I32 : ValueType::U32;
    case 64:
      return isSignedType ? ValueType::I64 : ValueType::U64;
    default:
      return std::nullopt;
  }
}

std::int64_t TypeLayout::bytes(clang::QualType type) const { return context_.getTypeSizeInChars(type).getQuantity(); }

bool TypeLayout::collect(clang::QualType type, std::int64_t byteOffset, const std::string& name,
                         Collection& all) const {
  if (++all.visits > kMaxVisits || all.leaves.size() > kMaxLeaves) return false;
  if (const auto value = scalar(type)) {
    all.leaves.push_back({*value, byteOffset, name});
    return true;
  }
  if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
    const std::uint64_t count = array->getSize().getLimitedValue();
    const clang::QualType element = array->getElementType();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::int64_t at = byteOffset + static_cast<std::int64_t>(i) * bytes(element);
      if (!collect(element, at, name + "[" + std::to_string(i) + "]", all)) return false;
    }
    return true;
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isInvalidDecl()) return false;
  // A closure is code, not data: its captures are found through the variables' names.
  if (record->isLambda()) return true;
  if (record->isUnion() || record->getNumBases() > 0 || record->isPolymorphic()) return false;
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() || field->getType()->isReferenceType()) return false;
    const auto at = byteOffset + static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
    if (!collect(field->getType(), at, name + "." + field->getNameAsString(), all)) return false;
  }
  return true;
}

std::optional<std::vector<TypeLayout::Leaf>> TypeLayout::leaves(clang::QualType type) const {
  Collection all;
  if (!collect(type, 0, "", all) || all.leaves.size() > kMaxLeaves) return std::nullopt;
  if (all.leaves.size() > 1) findVectors(all.leaves, context_.getTypeAlignInChars(type).getQuantity());
  return all.leaves;
}

void TypeLayout::findVectors(std::vector<Leaf>& leaves, std::int64_t alignment) {
  const auto end = [&](std::size_t at) { return leaves[at].byteOffset + sizeInMemory(leaves[at].type); };
  for (std::size_t first = 0, last = 0; first < leaves.size(); first = last + 1) {
    last = first;
    const std::int64_t begin = leaves[first].byteOffset;
    const std::int64_t lowestBit = begin & -begin;
    std::int64_t widest = std::min(alignment, kWidestAccess);
    if (begin != 0) widest = std::min(widest, lowestBit);
    // The widest access that ends with a scalar, or in the padding after one.
    for (std::size_t at = first + 1; at < leaves.size() && end(at) - begin <= widest; ++at) {
      if (sizeInMemory(leaves[at].type) != sizeInMemory(leaves[first].type)) break;
      const auto bytes = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(end(at) - begin)));
      const bool alone = at + 1 == leaves.size() || leaves[at + 1].byteOffset >= begin + bytes;
      if (bytes <= widest && alone) last = at;
    }
    if (last == first) continue;
    const auto bytes = std::bit_ceil(static_cast<std::uint64_t>(end(last) - begin));
    for (std::size_t at = first; at <= last; ++at) {
      leaves[at].part = {static_cast<std::uint8_t>(at - first), static_cast<std::uint8_t>(bytes)};
    }
  }
}

std::pair<std::size_t, std::size_t> TypeLayout::fieldLeaves(const clang::FieldDecl& field) const {
  std::size_t first = 0;
  for (const clang::FieldDecl* other : field.getParent()->fields()) {
    const auto inside = leaves(other->getType());
    const std::size_t count = inside ? inside->size() : 0;
    if (other == &field) return {first, count};
    first += count;
  }
  return {first, 0};
}

std::optional<clang::QualType> TypeLayout::onlyArrayOf(clang::QualType type) const {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isInvalidDecl() || record->isLambda()) {
    return std::nullopt;
  }
  if (record->isUnion() || record->getNumBases() > 0 || record->isPolymorphic()) return std::nullopt;
  if (std::ranges::distance(record->fields()) != 1) return std::nullopt;
  const clang::QualType field = record->field_begin()->getType();
  const bool fills = field->isConstantArrayType() && bytes(field) == bytes(type);
  return fills ? std::optional(field) : std::nullopt;
}

std::optional<TypeLayout::Memory> TypeLayout::memory(clang::QualType type) const {
  Memory result;
  while (true) {
    if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
      result.extents.push_back(static_cast<std::int64_t>(array->getSize().getLimitedValue()));
      type = array->getElementType();
    } else if (const auto wrapped = onlyArrayOf(type)) {
      type = *wrapped;
    } else {
      break;
    }
  }
  if (const auto value = scalar(type)) {
    result.element = *value;
    return result;
  }
  const auto parts = leaves(type);
  if (!parts || parts->empty()) return std::nullopt;
  result.element = parts->front().type;
  const bool alike = std::ranges::all_of(*parts, [&](const Leaf& leaf) { return leaf.type == result.element; });
  const auto count = static_cast<std::int64_t>(parts->size());
  if (!alike || bytes(type) != count * sizeInMemory(result.element)) return ofWords(std::move(result), type, *parts);
  if (count > 1) result.extents.push_back(count);
  return result;
}

std::optional<TypeLayout::Memory> TypeLayout::ofWords(Memory memory, clang::QualType type,
                                                      const std::vector<Leaf>& parts) const {
  int word = 8;
  for (const Leaf& leaf : parts) {
    if (leaf.type == ValueType::Pointer) return std::nullopt;
    word = std::min(word, sizeInMemory(leaf.type));
    memory.members.push_back({leaf.name, leaf.type, leaf.byteOffset});
  }
  memory.structBytes = bytes(type);
  memory.element = word == 8 ? ValueType::U64 : word == 4 ? ValueType::U32 : word == 2 ? ValueType::U16 : ValueType::U8;
  memory.extents.push_back(memory.structBytes / word);
  return memory;
}

bool TypeLayout::isPlain(clang::QualType type, std::size_t& visits) const {
  if (++visits > kMaxVisits) return false;
  if (const auto value = scalar(type)) return *value != ValueType::Pointer;
  if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
    return isPlain(array->getElementType(), visits);
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isInvalidDecl() || record->isLambda()) return false;
  if (record->getNumBases() > 0 || record->isPolymorphic()) return false;
  return std::ranges::all_of(record->fields(), [&](const clang::FieldDecl* field) {
    return !field->isBitField() && isPlain(field->getType(), visits);
  });
}

std::optional<TypeLayout::Memory> TypeLayout::words(clang::QualType type) const {
  std::size_t visits = 0;
  if (!isPlain(type, visits)) return std::nullopt;
  const std::int64_t size = bytes(type), alignment = context_.getTypeAlignInChars(type).getQuantity();
  const std::int64_t word = size % 4 == 0 && alignment % 4 == 0 ? 4 : 1;
  return Memory{.element = word == 4 ? ValueType::U32 : ValueType::U8, .extents = {size / word}};
}

bool TypeLayout::containsArray(clang::QualType type) const {
  std::set<const clang::CXXRecordDecl*> seen;  // nested structs reach the same one repeatedly
  const auto inside = [&](const auto& self, clang::QualType part) -> bool {
    if (part->isArrayType()) return true;
    const clang::CXXRecordDecl* record = part->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() || record->isLambda() || !seen.insert(record).second)
      return false;
    return std::ranges::any_of(record->fields(),
                               [&](const clang::FieldDecl* field) { return self(self, field->getType()); });
  };
  return inside(inside, type);
}

}  // namespace haloscope::lowering
