#include "catalogue/Precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

constexpr std::array<std::pair<ValueType, const char*>, 3> kNames = {
    {{ValueType::F16, "half"}, {ValueType::F32, "float"}, {ValueType::F64, "double"}}};

}  // namespace

bool Precision::offers(std::int64_t value) const {
  return std::ranges::any_of(types, [&](ValueType type) { return valueOf(type) == value; });
}

std::int64_t Precision::neighbour(std::int64_t value, int by) const {
  const auto count = static_cast<std::ptrdiff_t>(types.size());
  const auto now = std::ranges::find_if(types, [&](ValueType type) { return valueOf(type) == value; });
  const std::ptrdiff_t at = now == types.end() ? 0 : now - types.begin() + by;
  return valueOf(types[static_cast<std::size_t>((at % count + count) % count)]);
}

std::string Precision::typeNames() const {
  std::string names;
  for (const ValueType type : types) { names += (names.empty() ? "" : ", ") + realTypeName(type); }
  return names;
}

std::string realTypeName(ValueType type) {
  const auto known = std::ranges::find(kNames, type, &std::pair<ValueType, const char*>::first);
  return known == kNames.end() ? "" : known->second;
}

std::string realTypeName(std::int64_t value) {
  for (const auto& [type, name] : kNames) {
    if (Precision::valueOf(type) == value) { return name; }
  }
  return {};
}

ValueType realTypeNamed(const std::string& name) {
  for (const auto& [type, known] : kNames) {
    if (name == known) { return type; }
  }
  throw InputError(trf("unknown type \"{}\"; known types: half, float, double", name));
}

}  // namespace haloscope
