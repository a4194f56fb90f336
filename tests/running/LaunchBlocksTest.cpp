#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "running/LaunchExecution.h"

namespace haloscope::running {
namespace {

TEST(RepresentativeBlocks, AreTheWholeGridWhereItFits) {
  EXPECT_THAT(representativeBlocks({3, 2, 1}, 6), testing::ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(representativeBlocks({3, 2, 1}, 100), testing::SizeIs(6));
  EXPECT_THAT(representativeBlocks({1, 1, 1}, 1), testing::ElementsAre(0));
}

TEST(RepresentativeBlocks, BeginWithTheCorners) {
  EXPECT_THAT(representativeBlocks({10, 10, 1}, 4), testing::ElementsAre(0, 9, 90, 99));
  EXPECT_THAT(representativeBlocks({4, 5, 6}, 8), testing::ElementsAre(0, 3, 16, 19, 100, 103, 116, 119));
}

TEST(RepresentativeBlocks, HaveOneInTheMiddle) {
  const Dim3 grid{1000, 1000, 1000};
  EXPECT_THAT(representativeBlocks(grid, 125), testing::Contains(linear({500, 500, 500}, grid)));
}

TEST(RepresentativeBlocks, AreDifferentAscendingAndInTheGrid) {
  for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{2, 1, 1}, Dim3{3, 1, 2}, Dim3{65535, 1, 1}, Dim3{7, 9, 11}}) {
    for (const std::uint64_t count : {1U, 2U, 5U, 64U, 1000U}) {
      const std::vector<std::uint64_t> blocks = representativeBlocks(grid, count);
      EXPECT_EQ(blocks.size(), std::min(count, grid.count()));
      EXPECT_TRUE(std::ranges::is_sorted(blocks));
      EXPECT_EQ(std::set(blocks.begin(), blocks.end()).size(), blocks.size());
      EXPECT_LT(blocks.back(), grid.count());
    }
  }
}

}  // namespace
}  // namespace haloscope::running
