#include "measuring/TuningSizes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

constexpr double kFewestWaves = 0.25, kFewWaves = 8;
constexpr std::int64_t kCloseTogether = 40;  // sizes with few waves
constexpr double kFurther = 1.2;             // from one of the larger sizes to the next

/// Nothing where the launch would break a limit.
std::optional<SizePoint> pointAt(const KernelFile& file, const Bindings& bindings, std::int64_t size, double atOnce) {
  SizePoint point{.size = size, .bindings = bindings};
  for (const SizeParameter& one : file.sizes) { point.bindings[one.name] = size; }
  try {
    point.blocks = file.configuration(file.bind(point.bindings)).grid.count();
    for (const ArrayDeclaration& array : file.arrays) {
      double points = 1;
      for (const Expression& extent : array.shape) { points *= extent.evaluate(point.bindings); }
      point.points = std::max(point.points, points);
    }
  } catch (const InputError&) { return std::nullopt; }
  point.waves = static_cast<double>(point.blocks) / atOnce;
  return point;
}

}  // namespace

std::vector<SizePoint> planSizes(const KernelFile& file, const TuningCell& cell, std::int64_t largest,
                                 int multiprocessors) {
  largest = withinRanges(file, largest);
  const double atOnce = static_cast<double>(multiprocessors) * cell.occupancy.residentBlocks;
  if (file.sizes.empty() || atOnce <= 0) { return {}; }
  const auto at = [&](std::int64_t size) { return pointAt(file, cell.bindings, size, atOnce); };
  // The number of blocks grows with the size: the first one with this many waves, by bisection.
  const auto firstWith = [&](double waves) {
    std::int64_t low = withinRanges(file, 1);
    std::int64_t high = largest;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      const auto point = at(middle);
      if (point && point->waves >= waves) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  };
  const std::int64_t first = firstWith(kFewestWaves);
  const std::int64_t few = firstWith(kFewWaves);
  std::vector<std::int64_t> sizes;
  const std::int64_t step = std::max<std::int64_t>(1, (few - first + kCloseTogether - 1) / kCloseTogether);
  for (std::int64_t size = first; size <= few; size += step) { sizes.push_back(size); }
  for (double size = static_cast<double>(few) * kFurther; size < static_cast<double>(largest); size *= kFurther) {
    sizes.push_back(static_cast<std::int64_t>(std::lround(size)));
  }
  if (sizes.empty() || sizes.back() < largest) { sizes.push_back(largest); }
  std::vector<SizePoint> points;
  for (const std::int64_t size : sizes) {
    if (auto point = at(size)) { points.push_back(*std::move(point)); }
  }
  return points;
}

double SizePoint::fullness() const { return waves > 0 ? waves / std::ceil(waves) : 0; }

std::optional<double> sizeOfWaves(const std::vector<SizePoint>& points, double waves) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizePoint& a = points[i - 1];
    const SizePoint& b = points[i];
    if (a.waves > waves || b.waves <= waves) { continue; }
    const double share = (waves - a.waves) / (b.waves - a.waves);
    return std::lerp(static_cast<double>(a.size), static_cast<double>(b.size), share);
  }
  return std::nullopt;
}

}  // namespace haloscope::measuring
