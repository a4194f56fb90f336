#include "experiment/Reference.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "experiment/InputData.h"
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
                      fmt::format("the header names \"{}\" under computes, but the source has no such array", name));
  }
  return arrays[id];
}

}  // namespace

double toleranceOf(std::size_t taps, ValueType output) {
  const double unit = output == ValueType::F64 ? 0x1p-53 : output == ValueType::F16 ? 0x1p-11 : 0x1p-24;
  return static_cast<double>(taps + 1) * 2 * unit;  // units in the last place
}

ArrayData weightsOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                    const std::vector<ArrayData>& arrays) {
  if (!file.computes->weights.empty()) { return arrayNamed(file, program, arrays, file.computes->weights); }
  const std::vector<double> values = file.coefficients(bindings);
  ArrayData weights;
  weights.element = ValueType::F64;
  weights.extents = {static_cast<std::int64_t>(values.size())};
  weights.bytes.resize(values.size() * sizeof(double));
  std::memcpy(weights.bytes.data(), values.data(), weights.bytes.size());
  return weights;
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
  if (!file.computes) {
    throw InputError(fmt::format("{}: the header does not state what the kernel computes", file.id));
  }
  const ArrayData& input = arrayNamed(file, program, before, file.computes->input);
  const ArrayData& output = arrayNamed(file, program, after, file.computes->output);
  const ArrayData weights = weightsOf(file, bindings, program, before);
  const auto taps = file.taps(bindings);
  const Extents extents = padded(input);
  if (extents != padded(output)) { throw InputError(fmt::format("{}: input and output differ in shape", file.id)); }
  if (weights.elementCount() != static_cast<std::int64_t>(taps.size())) {
    throw InputError(fmt::format("{}: {} taps but {} weights", file.id, taps.size(), weights.elementCount()));
  }
  const double rounding = isFloating(output.element) ? 0 : 1;
  std::optional<Exact> firstExpected;
  ReferenceComparison result;
  result.tolerance = toleranceOf(taps.size(), output.element);
  const bool keeps = file.computes->border == Computes::Border::Keeps;

  forEachPoint(taps, extents,
               [&](std::int64_t element, std::int64_t z, std::int64_t y, std::int64_t x, bool allInside) {
                 const double computed = valueAt(output, element);
                 Exact expected = 0;
                 double magnitude = 0;
                 if (keeps && !allInside) {
                   expected = valueAt(input, element);
                 } else {
                   ++result.summed;
                   for (std::size_t t = 0; t < taps.size(); ++t) {
                     const std::int64_t nz = z + taps[t][0];
                     const std::int64_t ny = y + taps[t][1];
                     const std::int64_t nx = x + taps[t][2];
                     if (inside(extents, nz, ny, nx)) {
                       const Exact term = Exact{valueAt(weights, static_cast<std::int64_t>(t))} *
                                          valueAt(input, (nz * extents[1] + ny) * extents[2] + nx);
                       expected += term;
                       magnitude += static_cast<double>(std::abs(term));
                     }
                   }
                 }
                 result.conclusive = result.conclusive || (firstExpected && *firstExpected != expected);
                 if (!firstExpected) { firstExpected = expected; }
                 auto error = static_cast<double>(std::abs(computed - expected));
                 if (error <= rounding) { error = 0; }
                 if (error != 0) {
                   error = magnitude > 0 ? error / magnitude : std::numeric_limits<double>::infinity();
                 }
                 if (std::isnan(error)) { error = std::numeric_limits<double>::infinity(); }
                 if (error > result.maxRelativeError) {
                   result.maxRelativeError = error;
                   result.worstElement = element;
                 }
                 if (error > result.tolerance) { ++result.wrong; }
               });
  if (extents[0] * extents[1] * extents[2] == 1) { result.conclusive = true; }
  return result;
}

}  // namespace haloscope::experiment
