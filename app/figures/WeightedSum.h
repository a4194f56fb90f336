#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/OutputTrace.h"
#include "program/Launch.h"
#include "program/Program.h"

/// What an output's arithmetic amounts to, whatever its order, brackets and helpers: a weighted sum of array elements.
namespace haloscope::figures {

/// An element of a global array in the sum.
struct WeightedElement {
  ObjectId object = kNone;
  std::int64_t element = 0;
  double weight = 1;     ///< what it is multiplied with, as executed
  std::string name;      ///< of what it is multiplied with, "c[3]" or "-2 · c[1]"; empty: nothing, or too much to write
  bool updated = false;  ///< it was read after another thread had written its result there
};

struct WeightedSum {
  std::vector<WeightedElement> elements;  ///< by array and element, ascending
  /// All elements are only multiplied by what is no element of these arrays, added and subtracted. Otherwise the
  /// weights mean nothing.
  bool linear = true;
  double rest = 0;       ///< what is left of the output without them
  double tolerance = 0;  ///< a rest that rounding explains
};

/// The shape of an array: that of the launch, or the declared one where its values stand in the text and the launch
/// brings none.
[[nodiscard]] const std::vector<std::int64_t>& shapeOf(const Program& program, const std::vector<ArrayData>& before,
                                                       ObjectId object);

/// `points` are the arrays whose elements are points of the grid, the first of them the one that is computed around: an
/// element of another one that multiplies one of its own is a coefficient. `before` holds the arrays' shapes.
[[nodiscard]] WeightedSum weightedSum(const Program& program, const std::vector<ArrayData>& before,
                                      const analysis::OutputTrace& trace, const std::vector<ObjectId>& points);

}  // namespace haloscope::figures
