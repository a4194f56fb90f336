#include "figures/NaturalSpline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloscope::figures {

NaturalSpline::NaturalSpline(double first, double spacing, std::vector<double> values)
    : first_(first), spacing_(spacing), values_(std::move(values)), curvatures_(values_.size(), 0.0) {
  // m[i-1] + 4 m[i] + m[i+1] = 6 (f[i-1] - 2 f[i] + f[i+1]) / h^2 at the inner points; forward elimination, then back
  // substitution.
  const std::size_t count = values_.size();
  std::vector<double> above(count, 0.0);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double second = (values_[i - 1] - 2 * values_[i] + values_[i + 1]) / (spacing_ * spacing_);
    const double pivot = 4 - above[i - 1];
    above[i] = 1 / pivot;
    curvatures_[i] = (6 * second - curvatures_[i - 1]) / pivot;
  }
  for (std::size_t i = count < 3 ? 0 : count - 2; i >= 1; --i) { curvatures_[i] -= above[i] * curvatures_[i + 1]; }
}

NaturalSpline::Place NaturalSpline::placeOf(double x) const {
  const double at = (x - first_) / spacing_;
  const double last = static_cast<double>(values_.size()) - 2;
  const double left = std::clamp(std::floor(at), 0.0, std::max(0.0, last));
  return {static_cast<std::size_t>(left), at - left};
}

double NaturalSpline::operator()(double x) const {
  const auto [left, t] = placeOf(x);
  const double s = 1 - t;
  const double bend = spacing_ * spacing_ / 6;
  return s * values_[left] + t * values_[left + 1] +
         bend * ((s * s * s - s) * curvatures_[left] + (t * t * t - t) * curvatures_[left + 1]);
}

double NaturalSpline::linear(double x) const {
  const auto [left, t] = placeOf(x);
  return (1 - t) * values_[left] + t * values_[left + 1];
}

}  // namespace haloscope::figures
