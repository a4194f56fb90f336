#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/TapFormula.h"

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

/// What a kernel computes that is no weighted sum of one array: a formula for each array that it writes. Precise enough
/// for an independent check.
struct Definition {
  enum class Border : std::uint8_t {
    Keeps,  ///< points with a tap outside the array keep their value
    Zero,   ///< taps outside the array count as zero
    Wraps,  ///< the array goes on at its other end
  };
  Border border = Border::Keeps;
  std::vector<std::pair<std::string, TapFormula>> outputs;
  bool operator==(const Definition&) const = default;
};

/// A problem that a kernel solves sweep after sweep, for the playground.
struct SweptProblem {
  std::string shows;                             ///< the array that is drawn
  std::string legend;                            ///< what its values are: "temperature"
  std::optional<std::array<double, 2>> range{};  ///< of the colours; none: that of the values
  /// After a sweep the first array holds what the second one holds now, which is free for the next sweep. Empty: a
  /// sweep is no step in time.
  std::vector<std::pair<std::string, std::string>> advance;
  /// An array that the mouse writes to, and what it writes: painting, and erasing.
  struct Brush {
    std::string array;
    double paint = 1, erase = 0;
    bool operator==(const Brush&) const = default;
  };
  std::vector<Brush> brushes;
  std::string alternates;                ///< a parameter that is 0 and 1 in turn, sweep after sweep; empty: none
  std::optional<TapFormula> residual{};  ///< of a point: what is left to be solved
  /// Weights to choose from: rows of a square.
  struct Filter {
    std::string name;
    std::vector<double> weights;
    bool operator==(const Filter&) const = default;
  };
  std::vector<Filter> filters;
  std::int64_t size = 64;  ///< points along each axis to begin with
  double pace = 0;         ///< sweeps a second to begin with, at most; 0: as many as there is time for

  /// The array whose values this one has after a sweep: that of `advance`, and for the last of such a chain its first
  /// one; itself if it stays.
  [[nodiscard]] std::string successor(const std::string& array) const;
  bool operator==(const SweptProblem&) const = default;
};

}  // namespace haloscope
