#include "experiment/Reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "catalogue/TapFormula.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::experiment {

namespace {

using Extents = std::array<std::int64_t, 3>;
/// More precise than double, so that a kernel in double is not compared with the same rounding.
using Exact = long double;

Extents threeOf(const std::vector<std::int64_t>& extents) {
  Extents three{1, 1, 1};
  std::ranges::copy_backward(extents, three.end());
  return three;
}

Extents extentsOf(const ArrayData& array) { return threeOf(array.extents); }

bool inside(const Extents& extents, std::int64_t z, std::int64_t y, std::int64_t x) {
  return z >= 0 && z < extents[0] && y >= 0 && y < extents[1] && x >= 0 && x < extents[2];
}

/// The points whose taps all lie inside: from `low` to before `high` along each axis, if there are any.
struct InnerBox {
  InnerBox(const std::vector<std::array<int, 3>>& taps, const Extents& points) : high(points) {
    for (const auto& tap : taps) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low.at(axis) = std::max<std::int64_t>(low.at(axis), -std::int64_t{tap.at(axis)});
        high.at(axis) = std::min(high.at(axis), points.at(axis) - tap.at(axis));
      }
    }
  }
  [[nodiscard]] bool holdsRow(std::int64_t z, std::int64_t y) const {
    return z >= low[0] && z < high[0] && y >= low[1] && y < high[1];
  }

  Extents low{0, 0, 0}, high;
};

/// Rows of points, numbered plane after plane: from `first` to before `last`.
struct Rows {
  std::int64_t first = 0, last = 0;
};

Rows allRows(const Extents& points) { return {0, points[0] * points[1]}; }

/// The rows in parts of equal size, one for each thread that is worth it.
std::vector<Rows> partsOf(const Extents& points) {
  constexpr std::int64_t kPointsOfThread = 1 << 19;
  constexpr std::int64_t kMostThreads = 16;
  const std::int64_t rows = allRows(points).last;
  const std::int64_t cores = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  const std::int64_t count = std::clamp<std::int64_t>(rows * points[2] / kPointsOfThread, 1, std::min(cores, rows));
  std::vector<Rows> parts;
  for (std::int64_t i = 0; i < count; ++i) { parts.push_back({rows * i / count, rows * (i + 1) / count}); }
  return parts;
}

/// Calls work(i) for each part, which must not throw.
template <typename Work>
void forEachPart(std::size_t parts, const Work& work) {
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < parts; ++i) { others.emplace_back(work, i); }
  work(0);
}

/// Calls visit(element, z, y, x, allTapsInside) for every point in some rows of an array with these extents, of which
/// only the first `points` along each axis are no padding.
template <typename Visit>
void forEachPoint(const std::vector<std::array<int, 3>>& taps, const Extents& extents, const Extents& points, Rows rows,
                  Visit visit) {
  const InnerBox inner(taps, points);
  for (std::int64_t row = rows.first; row < rows.last; ++row) {
    const std::int64_t z = row / points[1], y = row % points[1];
    const bool held = inner.holdsRow(z, y);
    std::int64_t element = (z * extents[1] + y) * extents[2];
    for (std::int64_t x = 0; x < points[2]; ++x, ++element) {
      visit(element, z, y, x, held && x >= inner.low[2] && x < inner.high[2]);
    }
  }
}

/// Calls use(at), where at(element) is valueAt(array, element), with the array's type known to the compiler.
template <typename Use>
void withValues(const ArrayData& array, Use use) {
  const auto reader = [&array]<typename T>(T /*type*/) {
    return [bytes = array.bytes.data()](std::int64_t element) {
      T value{};
      std::memcpy(&value, bytes + static_cast<std::size_t>(element) * sizeof value, sizeof value);
      return static_cast<double>(value);
    };
  };
  if (array.element == ValueType::F32) { return use(reader(float{})); }
  if (array.element == ValueType::F64) { return use(reader(double{})); }
  use([&array](std::int64_t element) { return valueAt(array, element); });
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
  /// Empty for an input, whose values are their own magnitudes.
  [[nodiscard]] const std::vector<double>& magnitudes() const { return magnitudes_; }

 private:
  const ArrayData* input_ = nullptr;
  ArrayData computed_;
  std::vector<double> magnitudes_;
};

/// The sum that a variant should compute, step by step.
class WeightedSums {
 public:
  /// `file.computes` must be set. Throws as compareWithReference().
  WeightedSums(const KernelFile& file, const Bindings& bindings, const Program& program,
               const std::vector<ArrayData>& before)
      : input_(arrayNamed(file, program, before, file.computes->input)),
        taps_(file.taps(bindings)),
        extents_(extentsOf(input_)),
        points_(threeOf(gridOf(file, bindings, input_))),
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
  [[nodiscard]] const Extents& points() const { return points_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  /// Calls visit(element, value, magnitude, summed) with every point of some rows after one more step; not summed: it
  /// was kept.
  template <typename Visit>
  void step(const Stage& from, Rows rows, Visit visit) const {
    withValues(from.values(), [&](const auto& value) {
      if (from.magnitudes().empty()) {
        return sum(rows, value, [&](std::int64_t element) { return std::abs(value(element)); }, visit);
      }
      sum(
          rows, value, [&](std::int64_t element) { return from.magnitudes()[static_cast<std::size_t>(element)]; },
          visit);
    });
  }

  [[nodiscard]] Stage beforeLastStep() const {
    Stage stage(input_);
    const std::vector<Rows> parts = partsOf(points_);
    for (std::int64_t done = 1; done < steps_; ++done) {
      const auto count = static_cast<std::size_t>(input_.elementCount());
      ArrayData next{.element = ValueType::F64,
                     .extents = input_.extents,
                     .bytes = std::vector<std::byte>(count * sizeof(double))};
      std::vector<double> magnitudes(count);
      forEachPart(parts.size(), [&](std::size_t i) {
        step(stage, parts[i], [&](std::int64_t element, Exact value, double magnitude, bool) {
          setValue(next, element, static_cast<double>(value));
          magnitudes[static_cast<std::size_t>(element)] = magnitude;
        });
      });
      stage = Stage(std::move(next), std::move(magnitudes));
    }
    return stage;
  }

 private:
  template <typename Value, typename Magnitude, typename Visit>
  void sum(Rows rows, const Value& valueOf, const Magnitude& magnitudeOf, const Visit& visit) const {
    std::vector<std::int64_t> distances;  // in elements
    for (const auto& tap : taps_) { distances.push_back((tap[0] * extents_[1] + tap[1]) * extents_[2] + tap[2]); }
    forEachPoint(taps_, extents_, points_, rows,
                 [&](std::int64_t element, std::int64_t z, std::int64_t y, std::int64_t x, bool allInside) {
                   if (keeps_ && !allInside) {
                     const double kept = valueOf(element);
                     visit(element, Exact{kept}, std::abs(kept), false);
                     return;
                   }
                   Exact value = 0;
                   double magnitude = 0;
                   for (std::size_t t = 0; t < taps_.size(); ++t) {
                     const auto& tap = taps_[t];
                     if (!allInside && !inside(points_, z + tap[0], y + tap[1], x + tap[2])) { continue; }
                     const std::int64_t at = element + distances[t];
                     value += Exact{weights_[t]} * valueOf(at);
                     magnitude += std::abs(weights_[t]) * magnitudeOf(at);
                   }
                   visit(element, value, magnitude, true);
                 });
  }

  const ArrayData& input_;
  std::vector<std::array<int, 3>> taps_;
  Extents extents_, points_;
  std::int64_t steps_;
  bool keeps_;
  std::vector<double> weights_;
};

/// One output's points, judged.
class Judge {
 public:
  Judge(std::string name, const ArrayData& output, double tolerance, ReferenceComparison& into)
      : name_(std::move(name)), output_(output), tolerance_(tolerance), into_(into) {
    into_.tolerance = std::max(into_.tolerance, tolerance);
  }

  /// That of the first point; none before it.
  [[nodiscard]] const std::optional<Exact>& firstExpected() const { return firstExpected_; }

  void point(std::int64_t element, Exact expected, double magnitude, bool summed) {
    into_.summed += summed ? 1 : 0;
    const double computed = valueAt(output_, element);
    into_.conclusive = into_.conclusive || (firstExpected_ && *firstExpected_ != expected);
    if (!firstExpected_) { firstExpected_ = expected; }
    auto error = static_cast<double>(std::abs(computed - expected));
    if (error <= (isFloating(output_.element) ? 0 : 1)) { error = 0; }
    if (error != 0) { error = summed && magnitude > 0 ? error / magnitude : std::numeric_limits<double>::infinity(); }
    if (std::isnan(error)) { error = std::numeric_limits<double>::infinity(); }
    if (error > into_.maxRelativeError) {
      into_.maxRelativeError = error;
      into_.worstElement = element;
    }
    if (error <= tolerance_) { return; }
    ++into_.wrong;
    if (into_.firstWrong.size() < kWrongPointsListed) {
      into_.firstWrong.push_back({name_, element, static_cast<double>(expected), computed});
    }
  }

 private:
  std::string name_;
  const ArrayData& output_;
  double tolerance_;
  ReferenceComparison& into_;
  std::optional<Exact> firstExpected_;
};

/// Adds what was found in the rows behind those of `into`.
void append(const ReferenceComparison& part, ReferenceComparison& into) {
  if (part.maxRelativeError > into.maxRelativeError) {
    into.maxRelativeError = part.maxRelativeError;
    into.worstElement = part.worstElement;
  }
  into.tolerance = std::max(into.tolerance, part.tolerance);
  into.conclusive = into.conclusive || part.conclusive;
  into.summed += part.summed;
  into.wrong += part.wrong;
  const std::size_t room = kWrongPointsListed - into.firstWrong.size();
  into.firstWrong.insert(into.firstWrong.end(), part.firstWrong.begin(),
                         part.firstWrong.begin() + static_cast<std::ptrdiff_t>(std::min(room, part.firstWrong.size())));
}

/// A scalar of a formula as the kernel receives it: rounded to its parameter's type.
double scalarOf(const KernelFile& file, const Bindings& bindings, const Program& program, const std::string& name) {
  const auto argument = file.arguments.find(name);
  const double value =
      argument != file.arguments.end() ? argument->second.evaluate(bindings) : static_cast<double>(bindings.at(name));
  for (const Parameter& parameter : program.parameters) {
    if (parameter.name != name) { continue; }
    ArrayData one{.element = parameter.type, .extents = {1}, .bytes = std::vector<std::byte>(sizeof(double))};
    setValue(one, 0, value);
    return valueAt(one, 0);
  }
  return value;
}

/// One output of a definition that is no weighted sum.
void compareWithFormula(const KernelFile& file, const Bindings& bindings, const Program& program,
                        const std::vector<ArrayData>& before, const std::vector<ArrayData>& after,
                        const std::string& name, const TapFormula& formula, ReferenceComparison& result) {
  const ArrayData& output = arrayNamed(file, program, after, name);
  const ArrayData& kept = arrayNamed(file, program, before, name);
  const Extents extents = extentsOf(output);
  const Definition::Border border = file.definition->border;
  std::vector<const ArrayData*> inputs;
  std::vector<std::array<int, 3>> offsets;
  for (const TapFormula::Tap& tap : formula.taps()) {
    inputs.push_back(&arrayNamed(file, program, before, tap.array));
    offsets.push_back(tap.offset);
    if (extentsOf(*inputs.back()) != extents) {
      throw InputError(trf("{}: {} and {} differ in shape", file.id, tap.array, name));
    }
  }
  std::vector<double> scalars;
  std::vector<std::pair<std::size_t, int>> indices;  // of scalars, and which axis
  for (const std::string& scalar : formula.scalars()) {
    const int axis = scalar == "x" ? 2 : scalar == "y" ? 1 : scalar == "z" ? 0 : -1;
    if (axis >= 0) { indices.emplace_back(scalars.size(), axis); }
    scalars.push_back(axis >= 0 ? 0 : scalarOf(file, bindings, program, scalar));
  }
  Judge judge(name, output, toleranceOf(formula.operations(), output.element), result);
  std::vector<TapFormula::Value> taps(inputs.size());
  forEachPoint(offsets, extents, extents, allRows(extents),
               [&](std::int64_t element, std::int64_t z, std::int64_t y, std::int64_t x, bool allInside) {
                 if (border == Definition::Border::Keeps && !allInside) {
                   const double value = valueAt(kept, element);
                   judge.point(element, Exact{value}, std::abs(value), false);
                   return;
                 }
                 const std::array<std::int64_t, 3> at{z, y, x};
                 for (std::size_t t = 0; t < inputs.size(); ++t) {
                   std::array<std::int64_t, 3> from{};
                   for (std::size_t axis = 0; axis < 3; ++axis) {
                     from.at(axis) = at.at(axis) + offsets[t].at(axis);
                     if (border != Definition::Border::Wraps) { continue; }
                     const std::int64_t extent = extents.at(axis);
                     from.at(axis) = (from.at(axis) % extent + extent) % extent;
                   }
                   double value = 0;
                   if (inside(extents, from[0], from[1], from[2])) {
                     value = valueAt(*inputs[t], (from[0] * extents[1] + from[1]) * extents[2] + from[2]);
                   }
                   taps[t] = {Exact{value}, std::abs(value)};
                 }
                 for (const auto& [index, axis] : indices) {
                   scalars[index] = static_cast<double>(at.at(static_cast<std::size_t>(axis)));
                 }
                 const TapFormula::Value expected = formula.evaluate(taps, scalars);
                 judge.point(element, expected.value, expected.magnitude, true);
               });
  if (output.elementCount() == 1) { result.conclusive = true; }
}

}  // namespace

std::vector<std::int64_t> gridOf(const KernelFile& file, const Bindings& bindings, const ArrayData& array) {
  return file.computes && !file.computes->points.empty() ? file.points(bindings) : array.extents;
}

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
  std::ranges::copy(std::as_bytes(std::span(values)), weights.bytes.begin());
  return weights;
}

ArrayData inputOfLastStep(const KernelFile& file, const Bindings& bindings, const Program& program,
                          const std::vector<ArrayData>& before) {
  return WeightedSums(file, bindings, program, before).beforeLastStep().values();
}

void copyBorder(const std::vector<std::array<int, 3>>& taps, const std::vector<std::int64_t>& grid,
                const ArrayData& input, ArrayData& output) {
  const auto size = static_cast<std::size_t>(sizeInMemory(input.element));
  const Extents extents = extentsOf(input);
  const InnerBox inner(taps, threeOf(grid));
  const std::int64_t begin = std::min(inner.low[2], extents[2]), end = std::max(inner.high[2], begin);
  const auto copy = [&](std::int64_t first, std::int64_t last) {
    const std::size_t at = static_cast<std::size_t>(first) * size;
    std::memcpy(output.bytes.data() + at, input.bytes.data() + at, static_cast<std::size_t>(last - first) * size);
  };
  for (std::int64_t z = 0; z < extents[0]; ++z) {
    for (std::int64_t y = 0; y < extents[1]; ++y) {
      const std::int64_t row = (z * extents[1] + y) * extents[2];
      if (inner.holdsRow(z, y)) {
        copy(row, row + begin);
        copy(row + end, row + extents[2]);
      } else {
        copy(row, row + extents[2]);
      }
    }
  }
}

ReferenceComparison compareWithReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                                         const std::vector<ArrayData>& before, const std::vector<ArrayData>& after) {
  ReferenceComparison result;
  if (file.definition) {
    for (const auto& [name, formula] : file.definition->outputs) {
      compareWithFormula(file, bindings, program, before, after, name, formula, result);
    }
    return result;
  }
  if (!file.computes) { throw InputError(trf("{}: the header does not state what the kernel computes", file.id)); }
  const WeightedSums definition(file, bindings, program, before);
  const ArrayData& output = arrayNamed(file, program, after, file.computes->output);
  if (definition.extents() != extentsOf(output)) {
    throw InputError(trf("{}: input and output differ in shape", file.id));
  }
  const double tolerance =
      static_cast<double>(definition.steps()) * toleranceOf(definition.taps().size(), output.element);
  const std::vector<Rows> parts = partsOf(definition.points());
  std::vector<ReferenceComparison> compared(parts.size());
  std::vector<Judge> judges;
  for (ReferenceComparison& part : compared) { judges.emplace_back(file.computes->output, output, tolerance, part); }
  const Stage last = definition.beforeLastStep();
  forEachPart(parts.size(), [&](std::size_t i) {
    definition.step(last, parts[i], [&](std::int64_t element, Exact expected, double magnitude, bool summed) {
      judges[i].point(element, expected, magnitude, summed);
    });
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    append(compared[i], result);
    result.conclusive = result.conclusive || judges[i].firstExpected() != judges[0].firstExpected();
  }
  if (definition.points() == Extents{1, 1, 1}) { result.conclusive = true; }
  return result;
}

}  // namespace haloscope::experiment
