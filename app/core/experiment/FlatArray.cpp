#include "experiment/FlatArray.h"

#include <algorithm>
#include <cmath>

#include "experiment/InputData.h"

namespace haloscope::experiment {

namespace {

/// Shorter axes have hardly a point that is not close to the border.
constexpr std::int64_t kShortest = 16;
/// Of a border, along an axis of this many times its width.
constexpr std::int64_t kWidest = 8;

using Shape = std::vector<std::int64_t>;  // extents, the slowest first

std::vector<Shape> shapesOf(std::int64_t count, std::vector<std::int64_t> sizes) {
  std::erase_if(sizes, [&](std::int64_t size) { return size < kShortest || size > count; });
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<Shape> shapes{{count}};
  for (const std::int64_t row : sizes) {
    if (count % row != 0) { continue; }
    const std::int64_t rest = count / row;
    if (rest >= kShortest) { shapes.push_back({rest, row}); }
    for (const std::int64_t rows : sizes) {
      if (rest % rows == 0 && rest / rows >= kShortest) { shapes.push_back({rest / rows, rows, row}); }
    }
  }
  if (shapes.size() > 1) { return shapes; }
  const auto square = std::llround(std::sqrt(static_cast<double>(count)));
  const auto cube = std::llround(std::cbrt(static_cast<double>(count)));
  if (square * square == count && square >= kShortest) { shapes.push_back({square, square}); }
  if (cube * cube * cube == count && cube >= kShortest) { shapes.push_back({cube, cube, cube}); }
  return shapes;
}

bool isAtBorder(std::int64_t point, const Shape& shape) {
  for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
    const std::int64_t at = point % *extent;
    const std::int64_t width = std::min(kWidest, *extent / kWidest);
    if (at < width || at >= *extent - width) { return true; }
    point /= *extent;
  }
  return false;
}

/// `stride`: of neighbours along it; `extent`: of all its points.
bool isSameAlong(const ArrayData& array, std::int64_t extent, std::int64_t stride) {
  for (std::int64_t i = 0; i + stride < array.elementCount(); ++i) {
    const bool isLast = i / stride % extent == extent - 1;
    if (!isLast && valueAt(array, i) != valueAt(array, i + stride)) { return false; }
  }
  return true;
}

}  // namespace

bool lieAtBorder(std::span<const std::int64_t> points, std::int64_t count, const std::vector<std::int64_t>& sizes) {
  return !points.empty() && std::ranges::any_of(shapesOf(count, sizes), [&](const Shape& shape) {
    return std::ranges::all_of(points, [&](std::int64_t point) { return isAtBorder(point, shape); });
  });
}

bool isSameAlongAnAxis(const ArrayData& array, const std::vector<std::int64_t>& sizes) {
  return std::ranges::any_of(shapesOf(array.elementCount(), sizes), [&](const Shape& shape) {
    std::int64_t stride = 1;
    return std::any_of(shape.rbegin(), shape.rend(), [&](std::int64_t extent) {
      const bool same = isSameAlong(array, extent, stride);
      stride *= extent;
      return same;
    });
  });
}

}  // namespace haloscope::experiment
