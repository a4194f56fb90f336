#include "experiment/FlatArray.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "experiment/InputData.h"

namespace {

using haloscope::experiment::isSameAlongAnAxis;
using haloscope::experiment::lieAtBorder;

/// The points of a field of `rows` rows at which `holds(x, y)`.
template <typename Condition>
std::vector<std::int64_t> pointsOf(std::int64_t rows, std::int64_t columns, const Condition& holds) {
  std::vector<std::int64_t> points;
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x) {
      if (holds(x, y)) { points.push_back(y * columns + x); }
    }
  }
  return points;
}

TEST(FlatArray, TheOutermostRowsAndColumnsAreTheBorder) {
  const auto ring = pointsOf(48, 64, [](auto x, auto y) { return x == 0 || y == 0 || x == 63 || y == 47; });
  EXPECT_TRUE(lieAtBorder(ring, 48 * 64, {64, 48}));
  EXPECT_TRUE(lieAtBorder(ring, 48 * 64, {64}));
  EXPECT_FALSE(lieAtBorder(ring, 48 * 64, {48}));  // the rows are not known
}

TEST(FlatArray, WithoutSizesAFieldMayBeASquare) {
  const auto ring = pointsOf(64, 64, [](auto x, auto y) { return x == 0 || y == 0 || x == 63 || y == 63; });
  EXPECT_TRUE(lieAtBorder(ring, 64 * 64, {}));
}

TEST(FlatArray, EdgesOfTilesLieInside) {
  const auto edges = pointsOf(64, 64, [](auto x, auto y) { return x % 16 == 15 || y % 16 == 15; });
  EXPECT_FALSE(lieAtBorder(edges, 64 * 64, {64}));
  EXPECT_FALSE(lieAtBorder(edges, 64 * 64, {}));
}

TEST(FlatArray, ShortArraysHaveNone) {
  EXPECT_FALSE(lieAtBorder(std::vector<std::int64_t>{2, 5}, 8, {8}));
  EXPECT_FALSE(lieAtBorder({}, 64, {64}));
}

TEST(FlatArray, PlanesOfACubeToo) {
  std::vector<std::int64_t> faces;
  constexpr std::int64_t kEdge = 32;
  for (std::int64_t i = 0; i < kEdge * kEdge * kEdge; ++i) {
    if (i < kEdge * kEdge || i % kEdge == kEdge - 1) { faces.push_back(i); }
  }
  EXPECT_TRUE(lieAtBorder(faces, kEdge * kEdge * kEdge, {kEdge}));
  EXPECT_TRUE(lieAtBorder(faces, kEdge * kEdge * kEdge, {}));
}

haloscope::ArrayData imageOf(std::int64_t rows, std::int64_t columns, double (*at)(std::int64_t, std::int64_t)) {
  haloscope::ArrayData array{.element = haloscope::ValueType::F32, .extents = {rows * columns}, .bytes = {}};
  array.bytes.resize(static_cast<std::size_t>(4 * rows * columns));
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    haloscope::experiment::setValue(array, i, at(i % columns, i / columns));
  }
  return array;
}

TEST(FlatArray, StripesAreTheSameAlongOneAxis) {
  const auto columns = imageOf(48, 64, [](std::int64_t x, std::int64_t) { return static_cast<double>(x * x % 17); });
  const auto rows = imageOf(48, 64, [](std::int64_t, std::int64_t y) { return static_cast<double>(y * y % 17); });
  const auto both = imageOf(48, 64, [](std::int64_t x, std::int64_t y) { return static_cast<double>((x + y) % 17); });
  const auto spot = imageOf(48, 64, [](std::int64_t x, std::int64_t y) { return x == 63 && y == 47 ? 1.0 : 0.0; });
  EXPECT_TRUE(isSameAlongAnAxis(columns, {64, 48}));
  EXPECT_TRUE(isSameAlongAnAxis(rows, {64, 48}));
  EXPECT_FALSE(isSameAlongAnAxis(columns, {}));  // of no known shape
  EXPECT_FALSE(isSameAlongAnAxis(both, {64, 48}));
  EXPECT_FALSE(isSameAlongAnAxis(spot, {64, 48}));
}

}  // namespace
