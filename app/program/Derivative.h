#pragma once

#include <array>
#include <vector>

namespace haloscope {

/// The weights with which a stencil is the first derivative of its input along the last axis: divided by the spacing h,
/// one for each tap.
struct Derivative {
  std::vector<double> coefficients;
  int order = 0;  ///< its error falls as h to this power, by Taylor's theorem

  /// Finds the order. Throws InputError where the weighted sum is not a first derivative: too many or too few
  /// coefficients, taps along other axes, a sum that is not exact for straight lines.
  static Derivative of(const std::vector<double>& coefficients, const std::vector<std::array<int, 3>>& taps);
  bool operator==(const Derivative&) const = default;
};

}  // namespace haloscope
