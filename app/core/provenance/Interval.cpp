#include "provenance/Interval.h"

#include <cstdlib>

namespace haloscope::provenance {

namespace {

constexpr std::int64_t kBeyond = std::int64_t{1} << 62;

}  // namespace

std::int64_t clamped(Wide value) { return static_cast<std::int64_t>(std::clamp<Wide>(value, -kBeyond, kBeyond)); }

Interval around(Wide a, Wide b) { return {clamped(std::min(a, b)), clamped(std::max(a, b))}; }

Interval rangeOf(ValueType type) {
  if (type == ValueType::Bool) { return {0, 1}; }
  if (sizeInMemory(type) == 8) { return isSigned(type) ? Interval{-kBeyond, kBeyond} : Interval{0, kBeyond}; }
  const int bits = 8 * sizeInMemory(type);
  const std::int64_t count = std::int64_t{1} << bits;
  return isSigned(type) ? Interval{-count / 2, count / 2 - 1} : Interval{0, count - 1};
}

std::int64_t lowestBelow(std::int64_t low, ValueType type) {
  const std::int64_t lowest = rangeOf(type).low;
  return low >= lowest || sizeInMemory(type) != 4 ? lowest : -kWrap / 2;
}
std::int64_t highestAbove(std::int64_t high, ValueType type) {
  const std::int64_t highest = rangeOf(type).high;
  return high <= highest || sizeInMemory(type) != 4 ? highest : kWrap - 1;
}

Interval readAs(const Interval& value, ValueType type) {
  const Interval whole = rangeOf(type);
  if (value.within(whole)) { return value; }
  if (sizeInMemory(type) == 4) {
    for (const std::int64_t by : {-kWrap, kWrap}) {
      const Interval moved{value.low + by, value.high + by};
      if (moved.within(whole)) { return moved; }
    }
  }
  return whole;
}

Interval product(const Interval& a, const Interval& b) {
  const Interval one = around(Wide{a.low} * b.low, Wide{a.low} * b.high);
  return joined(one, around(Wide{a.high} * b.low, Wide{a.high} * b.high));
}

std::optional<Relation> relationOf(Opcode op) {
  switch (op) {
    case Opcode::Equal:
      return Relation::Equal;
    case Opcode::NotEqual:
      return Relation::NotEqual;
    case Opcode::Less:
      return Relation::Less;
    case Opcode::LessEqual:
      return Relation::LessEqual;
    case Opcode::Greater:
      return Relation::Greater;
    case Opcode::GreaterEqual:
      return Relation::GreaterEqual;
    default:
      return std::nullopt;
  }
}

Relation opposite(Relation relation) {
  switch (relation) {
    case Relation::Equal:
      return Relation::NotEqual;
    case Relation::NotEqual:
      return Relation::Equal;
    case Relation::Less:
      return Relation::GreaterEqual;
    case Relation::LessEqual:
      return Relation::Greater;
    case Relation::Greater:
      return Relation::LessEqual;
    case Relation::GreaterEqual:
      return Relation::Less;
  }
  return relation;
}

void restrict(Relation relation, Interval& a, Interval& b) {
  switch (relation) {
    case Relation::Equal:
      a = b = {std::max(a.low, b.low), std::min(a.high, b.high)};
      break;
    case Relation::NotEqual:
      if (b.low == b.high && a.low == b.low) { ++a.low; }
      if (b.low == b.high && a.high == b.low) { --a.high; }
      break;
    case Relation::Less:
      a.high = std::min(a.high, b.high - 1);
      b.low = std::max(b.low, a.low + 1);
      break;
    case Relation::LessEqual:
      a.high = std::min(a.high, b.high);
      b.low = std::max(b.low, a.low);
      break;
    case Relation::Greater:
      restrict(Relation::Less, b, a);
      break;
    case Relation::GreaterEqual:
      restrict(Relation::LessEqual, b, a);
      break;
  }
}

Interval quotient(const Interval& a, const Interval& b, ValueType type) {
  if (b.low <= 0 && b.high >= 0) { return rangeOf(type); }
  const Interval one = around(a.low / b.low, a.low / b.high), other = around(a.high / b.low, a.high / b.high);
  return joined(joined(one, other), a.low <= 0 && a.high >= 0 ? Interval{0, 0} : one);
}

Interval remainder(const Interval& a, const Interval& b, ValueType type) {
  if (b.low <= 0 && b.high >= 0) { return rangeOf(type); }
  const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;
  return {a.low < 0 ? std::max(-most, a.low) : 0, a.high > 0 ? std::min(most, a.high) : 0};
}

}  // namespace haloscope::provenance
