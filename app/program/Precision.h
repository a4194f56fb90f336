#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/Program.h"

namespace haloscope {

/// The types in which one text can be run: a macro of it stands for one of them. Among the bindings the macro has the
/// size of its type in bytes, so that a formula can say sizeof(REAL).
struct Precision {
  std::string macro;             ///< "REAL"
  std::vector<ValueType> types;  ///< of F16, F32, F64; the first is the default

  /// What the bindings hold for a type.
  [[nodiscard]] static std::int64_t valueOf(ValueType type) { return sizeInMemory(type); }
  [[nodiscard]] std::int64_t defaultValue() const { return valueOf(types.front()); }
  [[nodiscard]] bool offers(std::int64_t value) const;
  /// The value of the type `by` places on in `types`, round and round.
  [[nodiscard]] std::int64_t neighbour(std::int64_t value, int by) const;
  /// "float, double, half"
  [[nodiscard]] std::string typeNames() const;
  bool operator==(const Precision&) const = default;
};

/// "half", "float", "double": what the text calls a type of real numbers. Empty for others.
[[nodiscard]] std::string realTypeName(ValueType type);
/// The same of a value among the bindings.
[[nodiscard]] std::string realTypeName(std::int64_t value);
/// The type that a text calls so. Throws InputError listing the known names.
[[nodiscard]] ValueType realTypeNamed(const std::string& name);

}  // namespace haloscope
