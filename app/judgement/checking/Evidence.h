#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/KernelFile.h"
#include "faults/Finding.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::checking {

using Offset = std::array<int, 3>;  ///< slowest axis first
using Point = std::array<std::int64_t, 3>;

/// The value that a point of the output would have.
struct Prediction {
  double value = 0;
  double magnitude = 0;  ///< of what the value is made of; 0: it has to match to the last bit
};
/// The predicted value of an element of the output; nothing where it cannot be predicted.
using Predict = std::function<std::optional<Prediction>(std::int64_t element)>;

/// One summand of what a point may hold: weights[weight] * input[p + offset].
struct WeightedTap {
  std::size_t weight = 0;
  Offset offset{};
};
using WeightedTaps = std::vector<WeightedTap>;

/// A result that differs from the reference: the arrays of the computation, and which points are wrong. Refers to the
/// launches that it was made of.
class Evidence {
 public:
  /// `file.computes` must be set, and the launches must have its arrays.
  Evidence(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
           const Launch& after);

  [[nodiscard]] const Computes& computes() const { return computes_; }
  [[nodiscard]] const std::vector<Offset>& taps() const { return taps_; }
  /// Whether a launch computes one time step. Of several, only the last one's sums are known here, so that a mistake of
  /// all steps cannot be told by its effect.
  [[nodiscard]] bool oneStep() const { return oneStep_; }
  [[nodiscard]] std::size_t rank() const { return input_.extents.size(); }
  [[nodiscard]] const Point& extents() const { return extents_; }
  /// Points that hold a wrong value, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& wrong() const { return wrong_; }
  /// Points that should have been written and were not, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& unwritten() const { return unwritten_; }

  [[nodiscard]] double computed(std::int64_t element) const;
  [[nodiscard]] Prediction expected(std::int64_t element) const;
  [[nodiscard]] double input(std::int64_t element) const;
  [[nodiscard]] double weightValue(std::size_t index) const;
  [[nodiscard]] Point pointOf(std::int64_t element) const;
  [[nodiscard]] std::int64_t elementAt(const Point& point) const;
  [[nodiscard]] bool inside(const Point& point) const;
  [[nodiscard]] bool allInside(std::int64_t element) const;
  /// The sum of the terms; those outside the array count as 0. Without terms, the input's value.
  [[nodiscard]] Prediction sum(std::int64_t element, const WeightedTaps& terms) const;

  /// Whether all wrong points that are tried hold what is predicted of them.
  [[nodiscard]] bool explainedBy(const Predict& predict) const;
  /// Whether the right points that are tried do so, too: the mistake shows wherever it is made.
  [[nodiscard]] bool sparesNothing(const Predict& predict) const;
  /// The factor by which all wrong points differ from what they should hold, if it is one.
  [[nodiscard]] std::optional<double> commonFactor() const;
  /// The value by which all wrong points are too large, if it is one and not 0.
  [[nodiscard]] std::optional<double> commonSurplus() const;
  /// An axis along which all wrong points have one coordinate, though the array has more.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::int64_t>> commonPlane() const;
  /// Whether every wrong point has a tap outside the array.
  [[nodiscard]] bool onlyAtBorder() const;
  /// Whether no point of the output was written, while the input was changed where the output should have been.
  [[nodiscard]] bool wentToTheInput() const;

  /// "out[3][0]"
  [[nodiscard]] std::string name(std::int64_t element) const;
  /// "in[i][j - 1][k]"
  [[nodiscard]] std::string neighbour(const Offset& offset) const;
  /// "c[3]" or "filter[0][2]"
  [[nodiscard]] std::string weight(std::size_t index) const;

  /// Of the kind WrongResult, at the load of a weight, or at the store to the output.
  [[nodiscard]] faults::Finding finding(std::string message, std::optional<std::size_t> weight = {}) const;

 private:
  /// Sorts the points into wrong, unwritten and right ones.
  void judge();
  [[nodiscard]] bool agrees(std::int64_t element, const Prediction& predicted) const;
  [[nodiscard]] bool untouched(std::int64_t element) const;

  const Computes& computes_;
  const Program& program_;
  ObjectId outputId_;
  bool oneStep_;
  ArrayData input_;  ///< of the last time step
  const ArrayData& inputAfter_;
  ArrayData weights_;
  const ArrayData& initial_;
  const ArrayData& output_;
  std::vector<Offset> taps_;
  Point extents_{1, 1, 1};
  Point grid_{1, 1, 1};  ///< the extents without padding
  double agreement_;     ///< the difference up to which two values count as equal, in units of the sum's summands
  std::vector<std::int64_t> wrong_, unwritten_;
  std::vector<std::int64_t> samples_, rightSamples_;  ///< of the wrong points, of the others
};

}  // namespace haloscope::checking
