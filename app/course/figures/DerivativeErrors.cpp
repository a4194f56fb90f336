#include "figures/DerivativeErrors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace haloscope::figures {

namespace {

constexpr std::int64_t kFewestIntervals = 6;  // required by the seven-point formula
constexpr std::int64_t kMostIntervals = std::int64_t{1} << 22;
constexpr std::int64_t kFine = 60'000;  // from here on, each spacing costs as much as all before it
constexpr double kBeyondFinest = 30;

/// An even number, so that a grid point is at π, where the formulas' errors are largest.
std::int64_t finer(std::int64_t intervals) {
  if (intervals < 32) { return intervals + 2; }
  if (intervals > kFine) { return intervals * 2; }
  return 2 * static_cast<std::int64_t>(std::llround(static_cast<double>(intervals) * std::numbers::sqrt2 / 2));
}

double largestError(const DerivativeKernel& kernel, std::int64_t intervals, double spacing,
                    const std::stop_token& stop) {
  std::vector<double> samples(static_cast<std::size_t>(intervals) + 1);
  for (std::size_t i = 0; i < samples.size(); ++i) { samples[i] = std::sin(static_cast<double>(i) * spacing); }
  const Slopes slopes = kernel.slopes(samples, spacing, stop);
  double error = 0;
  for (std::size_t i = 0; i < slopes.values.size(); ++i) {
    const double x = static_cast<double>(slopes.first + static_cast<std::int64_t>(i)) * spacing;
    const double one = std::abs(slopes.values[i] - std::cos(x));
    error = std::isnan(one) ? one : std::max(error, one);
    if (std::isnan(error)) { break; }
  }
  return error;
}

/// Marks the points used to measure the order, and measures it: the slope of the line fitted to the logarithms.
std::optional<double> fitOrder(std::vector<DerivativeError>& errors, const DerivativeKernel& kernel) {
  double count = 0, sumX = 0, sumY = 0, sumXX = 0, sumXY = 0;
  for (DerivativeError& one : errors) {
    if (one.intervals < kFirstFitted) { continue; }
    if (one.error <= kAboveRounding * kernel.roundingBound(one.spacing)) { break; }
    one.fitted = true;
    const double x = std::log(one.spacing);
    const double y = std::log(one.error);
    count += 1;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumXY += x * y;
  }
  if (count >= kFewestFitted) { return (count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX); }
  for (DerivativeError& one : errors) { one.fitted = false; }
  return std::nullopt;
}

}  // namespace

std::int64_t ErrorCurve::fittedPoints() const { return std::ranges::count_if(errors, &DerivativeError::fitted); }

ErrorCurve measureErrors(const DerivativeKernel& kernel, const std::stop_token& stop) {
  ErrorCurve curve{kernel.file().id, kernel.points(), kernel.order(), kernel.type(), {}, {}, 0};
  const std::int64_t most = std::min(kMostIntervals, kernel.largestGrid() - 1);
  for (std::int64_t intervals = kFewestIntervals; intervals <= most; intervals = finer(intervals)) {
    const double spacing = 2 * std::numbers::pi / static_cast<double>(intervals);
    if (intervals < kernel.points() - 1) { continue; }
    const double error = largestError(kernel, intervals, spacing, stop);
    if (!std::isfinite(error)) { break; }  // the coefficients over the spacing are too large for the type
    curve.errors.push_back({intervals, spacing, error, false});
    if (error < curve.errors[curve.finest].error) { curve.finest = curve.errors.size() - 1; }
    if (spacing < curve.errors[curve.finest].spacing / kBeyondFinest) { break; }
  }
  curve.measured = fitOrder(curve.errors, kernel);
  return curve;
}

}  // namespace haloscope::figures
