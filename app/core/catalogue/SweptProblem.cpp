#include "catalogue/SweptProblem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

Derivative Derivative::of(const std::vector<double>& coefficients, const std::vector<std::array<int, 3>>& taps) {
  if (coefficients.size() != taps.size()) {
    throw InputError(
        trf("first_derivative has {} coefficients, but there are {} taps", coefficients.size(), taps.size()));
  }
  if (std::ranges::any_of(taps, [](const std::array<int, 3>& tap) { return tap[0] != 0 || tap[1] != 0; })) {
    throw InputError(tr("first_derivative is along the last axis, but there are taps along others"));
  }
  // The sum applied to x^power at x = 0: must be 1 for power 1 and 0 for all others.
  const auto isExact = [&](int power) {
    double sum = 0;
    double size = 0;
    for (std::size_t t = 0; t < taps.size(); ++t) {
      const double term = coefficients[t] * std::pow(taps[t][2], power);
      sum += term;
      size += std::abs(term);
    }
    return std::abs(sum - (power == 1 ? 1 : 0)) <= 1e-9 * std::max(1.0, size);
  };
  if (!isExact(0) || !isExact(1)) {
    throw InputError(tr("first_derivative: the sum with these coefficients is not the slope of a straight line"));
  }
  // n coefficients satisfy n conditions, symmetric ones at most one more.
  int power = 2;
  while (power <= static_cast<int>(taps.size()) && isExact(power)) { ++power; }
  return {coefficients, power - 1};
}

}  // namespace haloscope
