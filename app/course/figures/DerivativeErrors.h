#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/DerivativeKernel.h"

namespace haloscope::figures {

/// The error of the executed derivative of one period of the sine, at one spacing.
struct DerivativeError {
  std::int64_t intervals = 0;  ///< per period
  double spacing = 0;          ///< 2π / intervals
  double error = 0;            ///< maximum over the points that have a derivative
  bool fitted = false;         ///< used to measure the order
};

/// The error of one kernel in one type over the spacing.
struct ErrorCurve {
  std::string kernel;
  int points = 0;  ///< of the formula
  int order = 0;   ///< order of the error by Taylor's theorem
  ValueType type = ValueType::F64;
  std::vector<DerivativeError> errors;  ///< from the widest spacing to the finest
  std::optional<double> measured;       ///< the order, see fitOrder(); empty if rounding leaves too few points
  std::size_t finest = 0;               ///< index of the smallest error; below, rounding dominates

  [[nodiscard]] std::int64_t fittedPoints() const;
};

/// Minimum number of points for a slope.
inline constexpr int kFewestFitted = 3;
/// The order is measured at spacings up to the book's π/6 …
inline constexpr std::int64_t kFirstFitted = 12;  ///< intervals of the period
/// … whose error exceeds this multiple of what rounding can contribute by the tolerance of `verify`.
inline constexpr double kAboveRounding = 1;

/// Executes the kernel at decreasing spacings, until the spacing is a thirtieth of the one with the smallest error, or
/// there are four million intervals. Takes up to a few seconds. Throws as DerivativeKernel::slopes.
[[nodiscard]] ErrorCurve measureErrors(const DerivativeKernel& kernel, const std::stop_token& stop = {});

}  // namespace haloscope::figures
