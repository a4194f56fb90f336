#include "measuring/SampledCheck.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "experiment/InputData.h"
#include "experiment/Reference.h"

namespace haloscope::measuring {

namespace {

using Corner = std::array<std::int64_t, 3>;

/// Three extents, slowest first.
Corner threeExtents(const std::vector<std::int64_t>& extents) {
  Corner three{1, 1, 1};
  std::ranges::copy_backward(extents, three.end());
  return three;
}

}  // namespace

std::vector<std::uint64_t> sampledElements(const std::vector<std::int64_t>& extents, std::size_t random) {
  const Corner size = threeExtents(extents);
  std::array<std::set<std::int64_t>, 3> places;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const std::int64_t place : {std::int64_t{0}, std::int64_t{1}, std::int64_t{5}, size.at(axis) / 2,
                                     size.at(axis) - 6, size.at(axis) - 2, size.at(axis) - 1}) {
      if (place >= 0 && place < size.at(axis)) { places.at(axis).insert(place); }
    }
  }
  std::set<std::uint64_t> elements;
  for (const std::int64_t z : places[0]) {
    for (const std::int64_t y : places[1]) {
      for (const std::int64_t x : places[2]) {
        elements.insert(static_cast<std::uint64_t>((z * size[1] + y) * size[2] + x));
      }
    }
  }
  const auto count = static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
  for (std::size_t i = 0; i < random; ++i) {
    elements.insert(static_cast<std::uint64_t>(experiment::randomUnit(5, static_cast<std::int64_t>(i)) * count));
  }
  return {elements.begin(), elements.end()};
}

SampledCheck checkSamples(const KernelFile& file, const Bindings& bindings, const ArrayData& weights,
                          const std::vector<std::int64_t>& extents, ValueType type,
                          const std::vector<std::uint64_t>& elements, const std::vector<double>& results,
                          double (*inputAt)(std::uint64_t element, ValueType type)) {
  const Corner size = threeExtents(extents);
  const std::vector<std::array<int, 3>> taps = file.taps(bindings);
  const bool keeps = file.computes->border == Computes::Border::Keeps;
  SampledCheck check{.points = static_cast<std::int64_t>(elements.size()),
                     .tolerance = experiment::toleranceOf(taps.size(), type)};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto element = static_cast<std::int64_t>(elements[i]);
    const Corner at{element / (size[1] * size[2]), element / size[2] % size[1], element % size[2]};
    long double sum = 0;
    double magnitude = 0;
    bool inside = true;
    for (std::size_t tap = 0; tap < taps.size(); ++tap) {
      Corner from{};
      bool here = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        from.at(axis) = at.at(axis) + taps[tap].at(axis);
        here = here && from.at(axis) >= 0 && from.at(axis) < size.at(axis);
      }
      inside = inside && here;
      if (!here) { continue; }
      const double value = inputAt(static_cast<std::uint64_t>((from[0] * size[1] + from[1]) * size[2] + from[2]), type);
      const double weight = experiment::valueAt(weights, static_cast<std::int64_t>(tap));
      sum += static_cast<long double>(weight) * value;
      magnitude += std::abs(weight * value);
    }
    const bool kept = keeps && !inside;
    const double wanted = kept ? inputAt(elements[i], type) : static_cast<double>(sum);
    double apart = std::abs(results[i] - wanted);
    if (apart > 0) { apart = kept || magnitude <= 0 ? std::numeric_limits<double>::infinity() : apart / magnitude; }
    if (std::isnan(apart)) { apart = std::numeric_limits<double>::infinity(); }
    check.maxRelativeError = std::max(check.maxRelativeError, apart);
    if (apart > check.tolerance) { ++check.wrong; }
  }
  return check;
}

}  // namespace haloscope::measuring
