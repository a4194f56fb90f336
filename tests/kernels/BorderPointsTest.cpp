#include "experiment/BorderPoints.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

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

TEST(BorderPoints, TheOutermostRowsAndColumnsAreTheBorder) {
  const auto ring = pointsOf(48, 64, [](auto x, auto y) { return x == 0 || y == 0 || x == 63 || y == 47; });
  EXPECT_TRUE(lieAtBorder(ring, 48 * 64, {64, 48}));
  EXPECT_TRUE(lieAtBorder(ring, 48 * 64, {64}));
  EXPECT_FALSE(lieAtBorder(ring, 48 * 64, {48}));  // the rows are not known
}

TEST(BorderPoints, WithoutSizesAFieldMayBeASquare) {
  const auto ring = pointsOf(64, 64, [](auto x, auto y) { return x == 0 || y == 0 || x == 63 || y == 63; });
  EXPECT_TRUE(lieAtBorder(ring, 64 * 64, {}));
}

TEST(BorderPoints, EdgesOfTilesLieInside) {
  const auto edges = pointsOf(64, 64, [](auto x, auto y) { return x % 16 == 15 || y % 16 == 15; });
  EXPECT_FALSE(lieAtBorder(edges, 64 * 64, {64}));
  EXPECT_FALSE(lieAtBorder(edges, 64 * 64, {}));
}

TEST(BorderPoints, ShortArraysHaveNone) {
  EXPECT_FALSE(lieAtBorder(std::vector<std::int64_t>{2, 5}, 8, {8}));
  EXPECT_FALSE(lieAtBorder({}, 64, {64}));
}

TEST(BorderPoints, PlanesOfACubeToo) {
  std::vector<std::int64_t> faces;
  constexpr std::int64_t kEdge = 32;
  for (std::int64_t i = 0; i < kEdge * kEdge * kEdge; ++i) {
    if (i < kEdge * kEdge || i % kEdge == kEdge - 1) { faces.push_back(i); }
  }
  EXPECT_TRUE(lieAtBorder(faces, kEdge * kEdge * kEdge, {kEdge}));
  EXPECT_TRUE(lieAtBorder(faces, kEdge * kEdge * kEdge, {}));
}

}  // namespace
