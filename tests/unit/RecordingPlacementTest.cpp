#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "recording/Placement.h"

namespace haloscope::recording {

void PrintTo(const GridPoint& at, std::ostream* out) { *out << "(" << at.z << ", " << at.y << ", " << at.x << ")"; }

namespace {

using Points = std::vector<KnownPoint>;

Points fill(std::size_t count, const std::function<std::optional<GridPoint>(std::int64_t)>& of) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = of(static_cast<std::int64_t>(i));
    points.push_back({at.has_value(), at.value_or(GridPoint{})});
  }
  return points;
}

const std::vector<std::int64_t> kGrid{32, 32, 32};

TEST(RecordingPlacementTest, PlacesATileWithGhostCells) {
  const auto points = fill(512, [](std::int64_t i) -> std::optional<GridPoint> {
    const GridPoint at{i / 64 - 1, i / 8 % 8 - 1, i % 8 - 1};
    return at.z < 0 || at.y < 0 || at.x < 0 ? std::nullopt : std::optional(at);
  });
  const auto placement = fitPlacement({8, 8, 8}, points, kGrid);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->offset, (GridPoint{-1, -1, -1}));
  EXPECT_EQ(placement->at(511), (GridPoint{6, 6, 6}));
}

TEST(RecordingPlacementTest, PlacesAPlaneInSpace) {
  const auto points = fill(64, [](std::int64_t i) { return GridPoint{5, 12 + i / 8, 6 + i % 8}; });
  const auto placement = fitPlacement({8, 8}, points, kGrid);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->offset, (GridPoint{5, 12, 6}));
}

TEST(RecordingPlacementTest, FollowsTheMajorityWhenTwoPlanesMix) {
  const auto points = fill(64, [](std::int64_t i) { return GridPoint{i < 20 ? 6 : 5, i / 8, i % 8}; });
  const auto placement = fitPlacement({8, 8}, points, kGrid);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->offset.z, 5);
}

TEST(RecordingPlacementTest, PlacesAPaddedTile) {
  const auto points = fill(72, [](std::int64_t i) -> std::optional<GridPoint> {
    return i % 9 == 8 ? std::nullopt : std::optional(GridPoint{0, i / 9, i % 9});
  });
  const auto placement = fitPlacement({8, 9}, points, {64, 64});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(10), (GridPoint{0, 1, 1}));
}

TEST(RecordingPlacementTest, FindsRowsInAnArrayIndexedByHand) {
  const auto points = fill(128, [](std::int64_t i) { return GridPoint{0, 3 + i / 16, 4 + i % 16}; });
  const auto placement = fitPlacement({128}, points, {64, 64});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(0), (GridPoint{0, 3, 4}));
  EXPECT_EQ(placement->at(17), (GridPoint{0, 4, 5}));
}

TEST(RecordingPlacementTest, FindsPlanesInAnArrayIndexedByHand) {
  const auto points = fill(512, [](std::int64_t i) { return GridPoint{i / 64 + 1, i / 8 % 8 + 2, i % 8 + 3}; });
  const auto placement = fitPlacement({512}, points, kGrid);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(511), (GridPoint{8, 9, 10}));
}

TEST(RecordingPlacementTest, UnderstandsThreadsThatAreSeveralPointsApart) {
  const auto points = fill(64, [](std::int64_t i) { return GridPoint{0, i / 8, 4 * (i % 8) + 1}; });
  const auto placement = fitPlacement({1, 8, 8}, points, {64, 64});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(9), (GridPoint{0, 1, 5}));
}

TEST(RecordingPlacementTest, UnderstandsATransposedTile) {
  const auto points = fill(64, [](std::int64_t i) { return GridPoint{0, i % 8, i / 8}; });
  const auto placement = fitPlacement({8, 8}, points, {64, 64});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(8), (GridPoint{0, 0, 1}));
}

TEST(RecordingPlacementTest, ClaimsNothingAboutScatteredCells) {
  const auto points = fill(64, [](std::int64_t i) { return GridPoint{0, i * i * 7 % 61, i * i * i % 59}; });
  EXPECT_FALSE(fitPlacement({8, 8}, points, {64, 64}));
  EXPECT_FALSE(fitPlacement({8, 8}, Points(64), {64, 64}));
  EXPECT_FALSE(fitPlacement({0}, Points(), {64, 64}));
}

}  // namespace
}  // namespace haloscope::recording
