#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <string>

#include "language/Text.h"
#include "program/Half.h"
#include "program/RealBits.h"
#include "recording/BlockView.h"

namespace haloscope::recording {

namespace {

std::string formatInteger(ValueType type, std::uint64_t bits) {
  const std::uint64_t value = integerOf(type, bits);
  if (type == ValueType::Bool) { return value != 0 ? "true" : "false"; }
  if (type != ValueType::Pointer) {
    return isSigned(type) ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{}", value);
  }
  return bits == 0 ? "null" : trf("array {} + {} bytes", PackedPointer::object(bits), PackedPointer::byteOffset(bits));
}

float asFloat(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

}  // namespace

std::string formatValue(ValueType type, std::uint64_t bits) {
  if (isPoison(type, bits)) { return "unwritten"; }
  if (type == ValueType::F16) { return fmt::format("{:.6g}", halfValue(static_cast<std::uint16_t>(bits))); }
  if (type == ValueType::F32) { return fmt::format("{:.6g}", asFloat(bits)); }
  if (type == ValueType::F64) { return fmt::format("{:.6g}", std::bit_cast<double>(bits)); }
  return formatInteger(type, bits);
}

std::string formatExact(ValueType type, std::uint64_t bits) {
  if (isPoison(type, bits)) { return "unwritten"; }
  if (type == ValueType::F16) { return fmt::format("{}", halfValue(static_cast<std::uint16_t>(bits))); }
  if (type == ValueType::F32) { return fmt::format("{}", asFloat(bits)); }
  if (type == ValueType::F64) { return fmt::format("{}", std::bit_cast<double>(bits)); }
  return formatInteger(type, bits);
}

std::string formatValue(const Program& program, ValueType type, std::uint64_t bits) {
  const std::size_t objects = program.objects.size();
  const ObjectId named = PackedPointer::object(bits);
  // Into the shared memory of another block of the cluster: see Opcode::MapShared.
  if (type == ValueType::Pointer && objects != 0 && named >= objects && named / objects <= kMaxRaisedClusterBlocks) {
    const std::uint64_t own =
        PackedPointer::pack(static_cast<ObjectId>(named % objects), PackedPointer::byteOffset(bits));
    return trf("{} of rank {}", formatValue(program, type, own), named / objects - 1);
  }
  if (type != ValueType::Pointer || bits == 0 || PackedPointer::object(bits) >= program.objects.size()) {
    return formatValue(type, bits);
  }
  const MemoryObject& object = program.objects[PackedPointer::object(bits)];
  const std::int64_t offset = PackedPointer::byteOffset(bits);
  const int size = sizeInMemory(object.element);
  const bool whole = offset % size == 0;
  if (offset == 0) { return object.name; }
  const std::int64_t amount = whole ? offset / size : offset;
  return fmt::format("{} {} {}{}", object.name, amount < 0 ? '-' : '+', amount < 0 ? -amount : amount,
                     whole ? "" : tr(" bytes"));
}

std::string formatElement(const std::string& name, const std::vector<std::int64_t>& extents, std::int64_t element) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) { count *= extent; }
  if (extents.empty() && element == 0) { return name; }
  if (extents.size() < 2 || element < 0 || element >= count) { return fmt::format("{}[{}]", name, element); }

  std::string indexed = name;
  for (const std::int64_t extent : extents) {
    count /= extent;  // now the elements between neighbours along this axis
    fmt::format_to(std::back_inserter(indexed), "[{}]", element / count);
    element %= count;
  }
  return indexed;
}

}  // namespace haloscope::recording
