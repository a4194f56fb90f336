#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// The types in which a text can be run: one of its macros is defined as one of them. The macro's value among the
/// bindings is the size of that type in bytes, so that a formula can use sizeof(REAL).
struct Precision {
  std::string macro;             ///< "REAL"
  std::vector<ValueType> types;  ///< of F16, F32, F64; the first is the default

  /// The value among the bindings for a type.
  [[nodiscard]] static std::int64_t valueOf(ValueType type) { return sizeInMemory(type); }
  [[nodiscard]] std::int64_t defaultValue() const { return valueOf(types.front()); }
  [[nodiscard]] bool offers(std::int64_t value) const;
  /// The value of the type `by` places further in `types`, wrapping around.
  [[nodiscard]] std::int64_t neighbour(std::int64_t value, int by) const;
  /// "float, double, half"
  [[nodiscard]] std::string typeNames() const;
  bool operator==(const Precision&) const = default;
};

/// "half", "float" or "double": the name of a floating-point type. Empty for other types.
[[nodiscard]] std::string realTypeName(ValueType type);
/// The same for a value among the bindings.
[[nodiscard]] std::string realTypeName(std::int64_t value);
/// The type of that name. Throws InputError, which lists the known names.
[[nodiscard]] ValueType realTypeNamed(const std::string& name);

}  // namespace haloscope
