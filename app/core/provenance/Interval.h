#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "program/Program.h"

namespace haloscope::provenance {

/// The values that an integer can have. Its 64-bit ends stand for anything beyond them, too.
struct Interval {
  std::int64_t low = 0, high = 0;

  bool operator==(const Interval&) const = default;
  [[nodiscard]] bool within(const Interval& other) const { return low >= other.low && high <= other.high; }
};

/// What a 32-bit integer wraps around by.
inline constexpr std::int64_t kWrap = std::int64_t{1} << 32;

__extension__ using Wide = __int128;

[[nodiscard]] std::int64_t clamped(Wide value);
/// From the lower to the higher of two ends.
[[nodiscard]] Interval around(Wide a, Wide b);
[[nodiscard]] inline Interval joined(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

[[nodiscard]] inline bool isInteger(ValueType type) { return !isFloating(type) && type != ValueType::Pointer; }
[[nodiscard]] Interval rangeOf(ValueType type);

/// Where an interval that keeps growing ends, so that it does so soon.
[[nodiscard]] std::int64_t lowestBelow(std::int64_t low, ValueType type);
[[nodiscard]] std::int64_t highestAbove(std::int64_t high, ValueType type);

/// The same bits read as another type: an interval may move by what 32 bits wrap around by.
[[nodiscard]] Interval readAs(const Interval& value, ValueType type);

[[nodiscard]] Interval product(const Interval& a, const Interval& b);
[[nodiscard]] Interval quotient(const Interval& a, const Interval& b, ValueType type);
[[nodiscard]] Interval remainder(const Interval& a, const Interval& b, ValueType type);

/// Relations of two values. Each condition is one of them, or its opposite.
enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

[[nodiscard]] std::optional<Relation> relationOf(Opcode op);
[[nodiscard]] Relation opposite(Relation relation);
/// What is left of two intervals where the relation holds; an interval with low > high: nothing.
void restrict(Relation relation, Interval& a, Interval& b);

}  // namespace haloscope::provenance
