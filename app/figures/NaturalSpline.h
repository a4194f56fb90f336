#pragma once

#include <cstddef>
#include <vector>

namespace haloscope::figures {

/// The smooth curve through equally spaced points: a cubic between any two, with slope and curvature the same on both
/// sides of a point, and no curvature at the ends.
class NaturalSpline {
 public:
  NaturalSpline() = default;
  /// `values` at first, first + spacing, …; two or more.
  NaturalSpline(double first, double spacing, std::vector<double> values);

  /// Beyond the ends the outermost cubics go on.
  [[nodiscard]] double operator()(double x) const;
  /// The straight line between the two neighbours instead.
  [[nodiscard]] double linear(double x) const;

 private:
  struct Place {
    std::size_t left = 0;  ///< of the two neighbours
    double share = 0;      ///< of the way from it to the other
  };
  [[nodiscard]] Place placeOf(double x) const;

  double first_ = 0, spacing_ = 1;
  std::vector<double> values_, curvatures_;
};

}  // namespace haloscope::figures
