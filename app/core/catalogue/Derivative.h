#pragma once

#include <array>
#include <vector>

namespace haloscope {

/// The weights with which a stencil computes the first derivative of its input along the last axis: one for each tap,
/// to be divided by the spacing h.
struct Derivative {
  std::vector<double> coefficients;
  int order = 0;  ///< order of accuracy: the error is O(h^order), by Taylor's theorem

  /// Finds the order. Throws InputError if the weighted sum is not a first derivative: too many or too few
  /// coefficients, taps along other axes, a sum that is not exact for straight lines.
  static Derivative of(const std::vector<double>& coefficients, const std::vector<std::array<int, 3>>& taps);
  bool operator==(const Derivative&) const = default;
};

}  // namespace haloscope
