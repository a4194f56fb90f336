#include "experiment/Reference.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::experiment {

namespace {

using Extents = std::array<std::int64_t, 3>;
/// More precise than double, so that a kernel in double is not compared with the same rounding.
using Exact = long double;

Extents padded(const ArrayData& array) {
  Extents extents{1, 1, 1};
  for (std::size_t axis = 0; axis < array.extents.size(); ++axis) {
    extents[3 - array.extents.size() + axis] = array.extents[axis];
  }
  return extents;
}

bool inside(const Extents& extents, std::int64_t z, std::int64_t y, std::int64_t x) {
  return z >= 0 && z < extents[0] && y >= 0 && y < extents[1] && x >= 0 && x < extents[2];
}

/// Calls visit(element, z, y, x, allTapsInside) for every point.
template <typename Visit>
void forEachPoint(const std::vector<std::array<int, 3>>& taps, const Extents& extents, Visit visit) {
  std::int64_t element = 0;
  for (std::int64_t z = 0; z < extents[0]; ++z) {
    for (std::int64_t y = 0; y < extents[1]; ++y) {
      for (std::int64_t x = 0; x < extents[2]; ++x, ++element) {
        bool all = true;
        for (const auto& tap : taps) { all = all && inside(extents, z + tap[0], y + tap[1], x + tap[2]); }
        visit(element, z, y, x, all);
      }
    }
  }
}

const ArrayData& arrayNamed(const KernelFile& file, const Program& program, const std::vector<ArrayData>& arrays,
                            const std::string& name) {
  const ObjectId id = program.findObject(name);
  if (id == kNone || arrays[id].bytes.empty()) {
    throw SourceError(file.path.string(), program.kernelRange,
                      trf("the header names \"{}\" under computes, but the source has no such array", name));
  }
  return arrays[id];
}

/// A field between two time steps.
class Stage {
 public:
  /// What a launch begins with, which must outlive the stage.
  explicit Stage(const ArrayData& input) : input_(&input) {}
  /// `magnitudes`: of the summands behind each value, so that cancellation in an earlier step is not held against a
  /// kernel.
  Stage(ArrayData values, std::vector<double> magnitudes)
      : computed_(std::move(values)), magnitudes_(std::move(magnitudes)) {}

  [[nodiscard]] const ArrayData& values() const { return input_ == nullptr ? computed_ : *input_; }
  [[nodiscard]] double value(std::int64_t element) const { return valueAt(values(), element); }
  [[nodiscard]] double magnitude(std::int64_t element) const {
    return input_ == nullptr ? magnitudes_[static_cast<std::size_t>(element)] : std::abs(value(element));
  }

 private:
  const ArrayData* input_ = nullptr;
  ArrayData computed_;
  std::vector<double> magnitudes_;
};

/// The sum that a variant should compute, step by step.
class Definition {
 public:
  /// `file.computes` must be set. Throws as compareWithReference().
  Definition(const KernelFile& file, const Bindings& bindings, const Program& program,
             const std::vector<ArrayData>& before)
      : input_(arrayNamed(file, program, before, file.computes->input)),
        taps_(file.taps(bindings)),
        extents_(padded(input_)),
        steps_(file.steps(bindings)),
        keeps_(file.computes->border == Computes::Border::Keeps) {
    const ArrayData weights = weightsOf(file, bindings, program, before);
    if (weights.elementCount() != static_cast<std::int64_t>(taps_.size())) {
      throw InputError(trf("{}: {} taps but {} weights", file.id, taps_.size(), weights.elementCount()));
    }
    for (std::int64_t tap = 0; tap < weights.elementCount(); ++tap) { weights_.push_back(valueAt(weights, tap)); }
  }

  [[nodiscard]] const std::vector<std::array<int, 3>>& taps() const { return taps_; }
  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  /// Calls visit(element, value, magnitude, summed) with every point after one more step; not summed: it was kept.
  template <typename Visit>
  void step(const Stage& from, Visit visit) const {
    forEachPoint(taps_, extents_,
                 [&](std::int64_t element, std::int64_t z, std::int64_t y, std::int64_t x, bool allInside) {
                   if (keeps_ && !allInside) {
                     const double kept = from.value(element);
                     visit(element, Exact{kept}, std::abs(kept), false);
                     return;
                   }
                   Exact value = 0;
                   double magnitude = 0;
                   for (std::size_t t = 0; t < taps_.size(); ++t) {
                     const std::int64_t nz = z + taps_[t][0];
                     const std::int64_t ny = y + taps_[t][1];
                     const std::int64_t nx = x + taps_[t][2];
                     if (!inside(extents_, nz, ny, nx)) { continue; }
                     const std::int64_t at = (nz * extents_[1] + ny) * extents_[2] + nx;
                     value += Exact{weights_[t]} * from.value(at);
                     magnitude += std::abs(weights_[t]) * from.magnitude(at);
                   }
                   visit(element, value, magnitude, true);
                 });
  }

  [[nodiscard]] Stage beforeLastStep() const {
    Stage stage(input_);
    for (std::int64_t done = 1; done < steps_; ++done) {
      const auto count = static_cast<std::size_t>(input_.elementCount());
      ArrayData next{.element = ValueType::F64,
                     .extents = input_.extents,
                     .bytes = std::vector<std::byte>(count * sizeof(double))};
      std::vector<double> magnitudes(count);
      step(stage, [&](std::int64_t element, Exact value, double magnitude, bool) {
        setValue(next, element, static_cast<double>(value));
        magnitudes[static_cast<std::size_t>(element)] = magnitude;
      });
      stage = Stage(std::move(next), std::move(magnitudes));
    }
    return stage;
  }

 private:
  const ArrayData& input_;
  std::vector<std::array<int, 3>> taps_;
  Extents extents_;
  std::int64_t steps_;
  bool keeps_;
  std::vector<double> weights_;
};

}  // namespace

double toleranceOf(std::size_t taps, ValueType output) {
  const double unit = output == ValueType::F64 ? 0x1p-53 : output == ValueType::F16 ? 0x1p-11 : 0x1p-24;
  return static_cast<double>(taps + 1) * 2 * unit;  // units in the last place
}

ArrayData weightsOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                    const std::vector<ArrayData>& arrays) {
  if (!file.computes->weights.empty()) { return arrayNamed(file, program, arrays, file.computes->weights); }
  ArrayData weights;
  weights.element = ValueType::F64;
  std::vector<double> values = file.coefficients(bindings);
  if (!file.computes->factors.empty()) {
    values = {1};
    for (const std::string& name : file.computes->factors) {
      const ArrayData& factor = arrayNamed(file, program, arrays, name);
      std::vector<double> products;
      for (const double value : values) {
        for (std::int64_t i = 0; i < factor.elementCount(); ++i) { products.push_back(value * valueAt(factor, i)); }
      }
      values = std::move(products);
      weights.extents.push_back(factor.elementCount());
    }
  } else {
    weights.extents = {static_cast<std::int64_t>(values.size())};
  }
  weights.bytes.resize(values.size() * sizeof(double));
  std::memcpy(weights.bytes.data(), values.data(), weights.bytes.size());
  return weights;
}

ArrayData inputOfLastStep(const KernelFile& file, const Bindings& bindings, const Program& program,
                          const std::vector<ArrayData>& before) {
  return Definition(file, bindings, program, before).beforeLastStep().values();
}

void copyBorder(const std::vector<std::array<int, 3>>& taps, const ArrayData& input, ArrayData& output) {
  const auto size = static_cast<std::size_t>(sizeInMemory(input.element));
  forEachPoint(taps, padded(input), [&](std::int64_t element, auto, auto, auto, bool allInside) {
    if (!allInside) {
      const std::size_t at = static_cast<std::size_t>(element) * size;
      std::memcpy(output.bytes.data() + at, input.bytes.data() + at, size);
    }
  });
}

ReferenceComparison compareWithReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                                         const std::vector<ArrayData>& before, const std::vector<ArrayData>& after) {
  if (!file.computes) { throw InputError(trf("{}: the header does not state what the kernel computes", file.id)); }
  const Definition definition(file, bindings, program, before);
  const ArrayData& output = arrayNamed(file, program, after, file.computes->output);
  if (definition.extents() != padded(output)) {
    throw InputError(trf("{}: input and output differ in shape", file.id));
  }
  const double rounding = isFloating(output.element) ? 0 : 1;
  std::optional<Exact> firstExpected;
  ReferenceComparison result;
  result.tolerance = static_cast<double>(definition.steps()) * toleranceOf(definition.taps().size(), output.element);

  definition.step(definition.beforeLastStep(),
                  [&](std::int64_t element, Exact expected, double magnitude, bool summed) {
                    result.summed += summed ? 1 : 0;
                    const double computed = valueAt(output, element);
                    result.conclusive = result.conclusive || (firstExpected && *firstExpected != expected);
                    if (!firstExpected) { firstExpected = expected; }
                    auto error = static_cast<double>(std::abs(computed - expected));
                    if (error <= rounding) { error = 0; }
                    if (error != 0) {
                      error = summed && magnitude > 0 ? error / magnitude : std::numeric_limits<double>::infinity();
                    }
                    if (std::isnan(error)) { error = std::numeric_limits<double>::infinity(); }
                    if (error > result.maxRelativeError) {
                      result.maxRelativeError = error;
                      result.worstElement = element;
                    }
                    if (error > result.tolerance) { ++result.wrong; }
                  });
  if (output.elementCount() == 1) { result.conclusive = true; }
  return result;
}

}  // namespace haloscope::experiment
