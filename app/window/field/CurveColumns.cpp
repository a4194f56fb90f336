#include "field/CurveColumns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "program/RealBits.h"

namespace haloscope::field {

std::vector<FieldCurve::Column> curveColumns(std::span<const std::byte> values, ValueType element,
                                             std::size_t columns) {
  const auto size = static_cast<std::size_t>(sizeInMemory(element));
  const std::size_t points = values.size() / size;
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<FieldCurve::Column> curve(std::min(columns, points), {kNone, kNone});
  for (std::size_t column = 0; column < curve.size(); ++column) {
    auto& [low, high] = curve[column];
    const std::size_t end = (column + 1) * points / curve.size();
    for (std::size_t i = column * points / curve.size(); i < end; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, values.data() + i * size, size);
      const auto value = static_cast<float>(numberOf(element, bits));
      if (!std::isfinite(value)) { continue; }
      low = std::fmin(low, value);  // the number, where the other is NaN
      high = std::fmax(high, value);
    }
  }
  return curve;
}

}  // namespace haloscope::field
