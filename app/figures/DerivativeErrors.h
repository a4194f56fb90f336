#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/DerivativeKernel.h"

namespace haloscope::figures {

/// How far the executed derivative of one period of the sine is from the cosine, at one spacing.
struct DerivativeError {
  std::int64_t intervals = 0;  ///< of the period
  double spacing = 0;          ///< 2π over them
  double error = 0;            ///< the largest, over the points that have a derivative
  bool fitted = false;         ///< one of those that the order is measured on
};

/// The error of one kernel in one type against the spacing.
struct ErrorCurve {
  std::string kernel;
  int points = 0;  ///< of the formula
  int order = 0;   ///< of its error by Taylor's theorem
  ValueType type = ValueType::F64;
  std::vector<DerivativeError> errors;  ///< from the widest spacing to the finest
  std::optional<double> measured;       ///< the order, see fitOrder(); none: rounding leaves too few points
  std::size_t finest = 0;               ///< index of the smallest error: with less spacing rounding is larger

  [[nodiscard]] std::int64_t fittedPoints() const;
};

/// Fewer points give no slope.
inline constexpr int kFewestFitted = 3;
/// The order is measured from the book's spacing π/6 on …
inline constexpr std::int64_t kFirstFitted = 12;  ///< intervals of the period
/// … as long as the error is more than so many times what rounding can add, by verify's tolerance.
inline constexpr double kAboveRounding = 1;

/// Executes the kernel at ever finer spacings: until the spacing is thirty times finer than the one with the smallest
/// error, or there are four million intervals. Takes up to some seconds. Throws as DerivativeKernel::slopes.
[[nodiscard]] ErrorCurve measureErrors(const DerivativeKernel& kernel, const std::stop_token& stop = {});

}  // namespace haloscope::figures
