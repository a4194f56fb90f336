#include "running/OtherResults.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "experiment/InputData.h"

namespace haloscope::running {

namespace {

/// Of the range of an array's values: a smaller difference need not show.
constexpr double kLeastDifference = 0.05;
/// Of the range of what is expected: a smaller difference is rounding.
constexpr double kLeastShown = 1e-4;

struct Range {
  double least = 0, most = 0;
  [[nodiscard]] double width() const { return most - least; }
};

Range rangeOf(const ArrayData& array) {
  Range range{.least = INFINITY, .most = -INFINITY};
  for (std::int64_t i = 0; i < array.elementCount(); ++i) {
    const double value = experiment::valueAt(array, i);
    if (!std::isfinite(value)) { continue; }
    range.least = std::min(range.least, value);
    range.most = std::max(range.most, value);
  }
  return range.least > range.most ? Range{} : range;
}

/// Elements from everywhere in an array; those of different numbers are different ones.
std::vector<std::int64_t> sampleOf(std::int64_t count, std::uint32_t which) {
  constexpr std::int64_t kMost = 96, kKinds = 4;
  std::set<std::int64_t> elements;
  std::uint64_t state = 0x9e3779b97f4a7c15 + which;
  for (std::int64_t i = 0; i < kMost; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto at = static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(count));
    const std::int64_t own = at - at % kKinds + which % kKinds;
    if (own < count) { elements.insert(own); }
  }
  return {elements.begin(), elements.end()};
}

}  // namespace

ArrayData arrayOf(ValueType element, std::span<const std::byte> bytes) {
  return {.element = element,
          .extents = {static_cast<std::int64_t>(bytes.size()) / sizeInMemory(element)},
          .bytes = {bytes.begin(), bytes.end()}};
}

bool holdsNan(const ArrayData& array) {
  for (std::int64_t i = 0; isFloating(array.element) && i < array.elementCount(); ++i) {
    if (std::isnan(experiment::valueAt(array, i))) { return true; }
  }
  return false;
}

namespace {

constexpr std::size_t kPairs = 5;

/// Gives `most` pairs of elements, one with a small value and one with a large one, what `values` makes of the two.
bool changePairs(ArrayData& array, std::uint32_t which, std::size_t most,
                 std::pair<double, double> (*values)(double low, double high)) {
  const std::int64_t count = array.elementCount();
  if (count == 0) { return false; }
  const double least = kLeastDifference * rangeOf(array).width();
  std::vector<std::pair<double, std::int64_t>> all;
  for (const std::int64_t at : sampleOf(count, which)) {
    const double value = experiment::valueAt(array, at);
    if (std::isfinite(value)) { all.emplace_back(value, at); }
  }
  std::ranges::sort(all);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < all.size() / 2 && changed < most; ++i) {
    const auto& [low, lowAt] = all[i];
    const auto& [high, highAt] = all[all.size() - 1 - i];
    if (!(high - low > least) || least <= 0) { break; }
    const auto [first, second] = values(low, high);
    experiment::setValue(array, lowAt, first);
    experiment::setValue(array, highAt, second);
    ++changed;
  }
  return changed > 0;
}

}  // namespace

bool exchangeValues(ArrayData& array, std::uint32_t which) {
  return changePairs(array, which, kPairs + 2 * which, [](double low, double high) { return std::pair(high, low); });
}

bool averageValues(ArrayData& array) {
  return changePairs(array, 0, kPairs, [](double low, double high) {
    const double mean = low + (high - low) / 2;
    return std::pair(mean, mean);
  });
}

bool halveValues(ArrayData& array) {
  const std::vector<std::byte> before = array.bytes;
  for (std::int64_t i = 0; i < array.elementCount(); ++i) {
    experiment::setValue(array, i, experiment::valueAt(array, i) / 2);
  }
  return array.bytes != before;
}

bool setFarOff(ArrayData& array, bool larger) {
  constexpr double kFar = 1e3, kFarInteger = 1e6;
  const bool integer = array.element == ValueType::I32 || array.element == ValueType::I64;
  if (array.element != ValueType::F32 && array.element != ValueType::F64 && !integer) { return false; }
  const Range range = rangeOf(array);
  const double far = integer ? kFarInteger : kFar * (range.width() + std::abs(range.most) + 1);
  for (std::int64_t i = 0; i < array.elementCount(); ++i) {
    experiment::setValue(array, i, larger ? range.most + far : range.least - far);
  }
  return true;
}

std::optional<ArrayData> convertedTo(const ArrayData& like, std::span<const std::byte> other) {
  ArrayData same = like;
  if (other.size() == like.bytes.size()) {
    same.bytes.assign(other.begin(), other.end());
    return same;
  }
  static constexpr std::array kFloating{ValueType::F32, ValueType::F64};
  if (!isFloating(like.element)) { return std::nullopt; }
  for (const ValueType type : kFloating) {
    ArrayData from{.element = type, .extents = like.extents, .bytes = {}};
    if (type == like.element ||
        other.size() != static_cast<std::size_t>(from.elementCount()) * static_cast<std::size_t>(sizeInMemory(type))) {
      continue;
    }
    from.bytes.assign(other.begin(), other.end());
    for (std::int64_t i = 0; i < from.elementCount(); ++i) {
      experiment::setValue(same, i, experiment::valueAt(from, i));
    }
    return same;
  }
  return std::nullopt;
}

bool isCloseTo(const ArrayData& found, const ArrayData& expected) {
  constexpr double kClose = 1;
  const std::int64_t count = std::min(found.elementCount(), expected.elementCount());
  if (!isFloating(expected.element) || count == 0) { return false; }
  double mean = 0, varies = 0, differs = 0;
  for (std::int64_t i = 0; i < count; ++i) { mean += experiment::valueAt(expected, i) / static_cast<double>(count); }
  for (std::int64_t i = 0; i < count; ++i) {
    varies += std::abs(experiment::valueAt(expected, i) - mean);
    differs += std::abs(experiment::valueAt(found, i) - experiment::valueAt(expected, i));
  }
  return differs <= kClose * varies;  // false for NaN
}

RejectedResult differenceOf(const ArrayData& found, const ArrayData& expected) {
  RejectedResult result{.points = found.elementCount()};
  const double tolerance = kLeastShown * rangeOf(expected).width();
  for (std::int64_t i = 0; i < result.points; ++i) {
    const double own = experiment::valueAt(found, i);
    const double other = experiment::valueAt(expected, i);
    if (std::abs(own - other) <= tolerance || own == other) { continue; }
    if (result.differing++ == 0) {
      result.first = i;
      result.found = own;
      result.expected = other;
    }
  }
  return result;
}

}  // namespace haloscope::running
