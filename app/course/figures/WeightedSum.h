#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "provenance/OutputTrace.h"

/// An output's arithmetic as a weighted sum of array elements, independent of its order, brackets and helper functions.
namespace haloscope::figures {

/// An element of a global array in the sum.
struct WeightedElement {
  ObjectId object = kNone;
  std::int64_t element = 0;
  double weight = 1;     ///< coefficient, as executed
  std::string name;      ///< of the coefficient, "c[3]" or "-2 · c[1]"; empty if none or too long
  bool updated = false;  ///< it was read after another thread had written its result there
};

struct WeightedSum {
  std::vector<WeightedElement> elements;  ///< by array and element, ascending
  /// Elements are only added, subtracted and multiplied by values without such elements. Otherwise the weights are
  /// undefined.
  bool linear = true;
  double rest = 0;       ///< the output minus the weighted elements
  double tolerance = 0;  ///< largest rest explained by rounding
};

/// The shape of an array: the launch's or, for an initialised array without one, the declared shape.
[[nodiscard]] const std::vector<std::int64_t>& shapeOf(const Program& program, const std::vector<ArrayData>& before,
                                                       ObjectId object);

/// `points` are the arrays whose elements are grid points, the first being the centre array: an element of another
/// array that multiplies one of its elements is a coefficient. `before` holds the arrays' shapes.
[[nodiscard]] WeightedSum weightedSum(const Program& program, const std::vector<ArrayData>& before,
                                      const provenance::OutputTrace& trace, const std::vector<ObjectId>& points);

}  // namespace haloscope::figures
