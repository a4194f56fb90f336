#pragma once

#include <cstddef>
#include <vector>

namespace haloscope::figures {

/// The natural cubic spline through equally spaced points: slope and curvature are continuous, and the curvature is
/// zero at the ends.
class NaturalSpline {
 public:
  NaturalSpline() = default;
  /// `values` at first, first + spacing, …; two or more.
  NaturalSpline(double first, double spacing, std::vector<double> values);

  /// Beyond the ends the outermost cubics are extrapolated.
  [[nodiscard]] double operator()(double x) const;
  /// Linear interpolation between the two neighbours.
  [[nodiscard]] double linear(double x) const;

 private:
  struct Place {
    std::size_t left = 0;  ///< index of the left neighbour
    double share = 0;      ///< position between it and the right one, 0…1
  };
  [[nodiscard]] Place placeOf(double x) const;

  double first_ = 0, spacing_ = 1;
  std::vector<double> values_, curvatures_;
};

}  // namespace haloscope::figures
