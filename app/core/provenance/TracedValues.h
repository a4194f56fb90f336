#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "provenance/OutputTrace.h"

namespace haloscope::provenance {

using ValueId = std::uint32_t;

/// A value at one place, made of others.
struct TracedValue {
  enum class Kind : std::uint8_t {
    Operation,
    Copy,
    Element,
    Computed,
    Constant,
    Literal,
    Uninitialised,
    OutOfBounds,
  };
  Kind kind = Kind::Literal;
  Hop::Place place = Hop::Place::Shared;  ///< of a Copy; of an Uninitialised variable: Variable
  ValueType type = ValueType::F32;
  bool given = false;        ///< a Literal that was assigned or chosen
  std::uint32_t id = kNone;  ///< array or variable; of an Operation: the instruction
  std::uint32_t thread = 0;
  std::uint32_t step = 0;
  StatementId statement = kNone;
  std::int64_t index = 0;
  std::uint64_t bits = 0;
  std::array<ValueId, 3> from{kNone, kNone, kNone};
};

/// All values that a block has followed.
class TracedValues {
 public:
  ValueId add(const TracedValue& value) {
    if (count_ % kTogether == 0) { values_.emplace_back().reserve(kTogether); }
    values_.back().push_back(value);
    return static_cast<ValueId>(count_++);
  }
  [[nodiscard]] const TracedValue& operator[](ValueId value) const {
    return values_[value / kTogether][value % kTogether];
  }
  /// The block follows no more values.
  [[nodiscard]] bool full() const { return count_ > kMaxValues; }

  /// How the value that was copied to an element came about. None if it is no copy.
  [[nodiscard]] std::optional<OutputTrace> trace(ValueId cell, ObjectId object, std::int64_t element) const;

 private:
  /// About 64 bytes each.
  static constexpr std::size_t kMaxValues = std::size_t{8} << 20;

  [[nodiscard]] Operand operandOf(const TracedValue& node, const std::vector<ValueId>& hops,
                                  const TracedValue& user) const;

  static constexpr std::size_t kTogether = 4096;
  std::vector<std::vector<TracedValue>> values_;  ///< kTogether each: millions are never moved to grow
  std::size_t count_ = 0;
};

}  // namespace haloscope::provenance
