#include "figures/GridLayout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"

// The elements needed together in a linear array. All numbers are derived by hand from i = x + 5·y + 25·z and similar,
// with 8 floats per sector.

namespace haloscope {
namespace {

using figures::GridLayout;
using figures::IndexOrder;
using figures::NeededElements;
using figures::WarpLayout;
using recording::GridPoint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

/// A point and its six neighbours.
std::vector<GridPoint> starAround(const GridPoint& at) {
  return {at,
          {at.z - 1, at.y, at.x},
          {at.z + 1, at.y, at.x},
          {at.z, at.y - 1, at.x},
          {at.z, at.y + 1, at.x},
          {at.z, at.y, at.x - 1},
          {at.z, at.y, at.x + 1}};
}

TEST(GridLayout, OfACubeOfFiveWithFloats) {
  const GridLayout layout({5, 5, 5}, 4, IndexOrder::RowMajor);
  EXPECT_EQ(layout.formula("u"), "u[x + 5·y + 25·z]");
  EXPECT_EQ(layout.name(), "x fastest");
  EXPECT_EQ(layout.count(), 125);
  const NeededElements needed = neededElements(layout, starAround({1, 2, 3}));
  EXPECT_THAT(needed.elements, ElementsAre(13, 33, 37, 38, 39, 43, 63));
  EXPECT_THAT(needed.sectors, ElementsAre(1, 4, 5, 7));
  EXPECT_EQ(needed.least, 1);
  EXPECT_EQ(needed.outside, 0);
  EXPECT_EQ(layout.point(38), (GridPoint{1, 2, 3}));
  EXPECT_EQ(layout.byteOffset(38), 152);
}

TEST(GridLayout, TheOtherWayRound) {
  const GridLayout layout({5, 5, 5}, 4, IndexOrder::Transposed);
  EXPECT_EQ(layout.formula("u"), "u[z + 5·y + 25·x]");
  EXPECT_EQ(layout.name(), "z fastest");
  const NeededElements needed = neededElements(layout, starAround({1, 2, 3}));
  EXPECT_THAT(needed.elements, ElementsAre(61, 81, 85, 86, 87, 91, 111));
  EXPECT_THAT(needed.sectors, ElementsAre(7, 10, 11, 13));
  EXPECT_EQ(layout.point(86), (GridPoint{1, 2, 3}));
}

TEST(GridLayout, DoublesTakeMoreSectors) {
  const GridLayout layout({5, 5, 5}, 8, IndexOrder::RowMajor);
  const NeededElements needed = neededElements(layout, starAround({2, 2, 2}));
  EXPECT_THAT(needed.elements, ElementsAre(37, 57, 61, 62, 63, 67, 87));
  EXPECT_THAT(needed.sectors, ElementsAre(9, 14, 15, 16, 21));
  EXPECT_EQ(needed.least, 2);  // 56 bytes
}

TEST(GridLayout, OfUnequalAxesAndFewer) {
  EXPECT_EQ(GridLayout({3, 4, 5}, 4, IndexOrder::RowMajor).formula("u"), "u[x + 5·y + 20·z]");
  EXPECT_EQ(GridLayout({3, 4, 5}, 4, IndexOrder::Transposed).formula("u"), "u[z + 3·y + 12·x]");
  EXPECT_EQ(GridLayout({4, 5}, 4, IndexOrder::RowMajor).formula("u"), "u[x + 5·y]");
  EXPECT_EQ(GridLayout({4, 5}, 4, IndexOrder::Transposed).formula("u"), "u[y + 4·x]");
  EXPECT_EQ(GridLayout({4, 5}, 4, IndexOrder::Transposed).name(), "y fastest");
  EXPECT_EQ(GridLayout({9}, 4, IndexOrder::RowMajor).formula("u"), "u[x]");
}

TEST(GridLayout, PointsOutsideHaveNoElement) {
  const GridLayout layout({5, 5, 5}, 4, IndexOrder::RowMajor);
  const NeededElements needed = neededElements(layout, starAround({0, 0, 4}));
  EXPECT_THAT(needed.elements, ElementsAre(3, 4, 9, 29));
  EXPECT_EQ(needed.outside, 3);
}

std::shared_ptr<const experiment::Experiment> experimentOf(const char* id, std::optional<Dim3> block) {
  experiment::RunOptions options;
  options.countGrid = false;
  return experiment::run(test::catalogue(), {id, {{"N", 32}}, block}, options);
}

TEST(GridLayout, IsDescribedInTheSingularToo) {
  const GridLayout layout({8}, 4, IndexOrder::RowMajor);
  EXPECT_EQ(neededText(neededElements(layout, {{0, 0, 3}})), "1 element in 1 sector of 32 bytes: the minimum");
  EXPECT_EQ(figures::sectorText(2), "2 sectors");
  EXPECT_EQ(figures::borderText(1), "a border point: 1 of its points lies outside the grid");
  EXPECT_EQ(figures::borderText(3), "a border point: 3 of its points lie outside the grid");
}

TEST(WarpLayout, OfTheSweepIsWhatTheWarpLoads) {
  // A block of 8 × 8 × 8: warp 0 of block (2,2,2) computes z 16, y 16 to 19, x 16 to 23 of a cube of 32.
  const auto experiment = experimentOf("stencil/basic", Dim3{2, 2, 2});
  ASSERT_EQ(experiment->configuration.block, (Dim3{8, 8, 8}));
  const WarpLayout warp = warpLayout(*experiment, figures::stencilShape(*experiment), 0);
  ASSERT_THAT(warp.reason, IsEmpty());
  EXPECT_EQ(warp.computed.size(), 32U);
  EXPECT_EQ(warp.computed.front(), (GridPoint{16, 16, 16}));
  ASSERT_EQ(warp.operands.size(), 7U);
  for (const figures::WarpOperand& operand : warp.operands) {
    // Aligned rows take one sector each, others two; transposed, no two lanes share a sector.
    const std::size_t sectors = operand.point.offset.x == 0 ? 4 : 8;
    EXPECT_EQ(operand.needed[0].elements.size(), 32U);
    EXPECT_EQ(operand.needed[0].sectors.size(), sectors);
    EXPECT_EQ(operand.needed[0].least, 4);
    EXPECT_EQ(operand.needed[1].sectors.size(), 32U);
    EXPECT_EQ(operand.executed, std::optional<std::int64_t>(sectors));
  }
  EXPECT_EQ(warp.together[0].elements.size(), 120U);  // 4 rows of 10, 2 of 8 next to them, 4 of 8 above and below
  EXPECT_EQ(warp.together[0].sectors.size(), 22U);    // 4 · 3 + 2 + 8
  EXPECT_EQ(warp.together[0].least, 15);
  EXPECT_EQ(warp.together[1].sectors.size(), 88U);  // z 15 and z 16, 17 of 32 points, and 24 neighbours
  EXPECT_EQ(warp.requests, 7);
  EXPECT_EQ(warp.sectors, 36);
  EXPECT_EQ(warp.idealSectors, 28);
}

TEST(WarpLayout, OfATiledSweepLoadsItsTileInstead) {
  const auto experiment = experimentOf("stencil/tiled", Dim3{2, 2, 2});
  const figures::StencilShape shape = figures::stencilShape(*experiment);
  // The input tile's edge is 8: warp 0 holds half of its first plane, all of it halo.
  const WarpLayout first = warpLayout(*experiment, shape, 0);
  EXPECT_THAT(first.reason, HasSubstr("Warp 0 of this block writes no output"));
  const WarpLayout warp = warpLayout(*experiment, shape, 8);
  ASSERT_THAT(warp.reason, IsEmpty());
  EXPECT_EQ(warp.requests, 1);
  EXPECT_EQ(warp.computed.size(), 18U);  // rows 1 to 3 of its four, 6 of 8 lanes each
  for (const figures::WarpOperand& operand : warp.operands) { EXPECT_FALSE(operand.executed); }
}

}  // namespace
}  // namespace haloscope
