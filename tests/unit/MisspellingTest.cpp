#include "program/Misspelling.h"

#include <gtest/gtest.h>

namespace haloscope {
namespace {

TEST(Misspelling, CountsLettersThatAreWrongMissingOrSwapped) {
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(editDistance("tile", "tile"), 0);
  EXPECT_EQ(editDistance("BLCOK_SIZE", "BLOCK_SIZE"), 1);
  EXPECT_EQ(editDistance("widht", "width"), 1);
  EXPECT_EQ(editDistance("IN_TILE", "OUT_TILE"), 3);
}

TEST(Misspelling, IsANameThatIsNearlyAnother) {
  EXPECT_TRUE(isMisspelling("BLCOK_SIZE", "BLOCK_SIZE"));
  EXPECT_TRUE(isMisspelling("TILE_SZIE", "TILE_SIZE"));
  EXPECT_TRUE(isMisspelling("Width", "width"));
  EXPECT_TRUE(isMisspelling("N", "n"));
  EXPECT_TRUE(isMisspelling("RADUS", "RADIUS"));
  EXPECT_TRUE(isMisspelling("thredIdx", "threadIdx"));
}

TEST(Misspelling, IsNoNameThatDiffersOnPurpose) {
  for (const auto& [a, b] :
       {std::pair("BLOCK_X", "BLOCK_Y"), std::pair("c1", "c2"), std::pair("TILE_W", "TILE_H"),
        std::pair("dimX", "dimY"), std::pair("width2", "width"), std::pair("level1", "level2"),
        std::pair("IN_TILE_DIM", "OUT_TILE_DIM"), std::pair("in", "inn"), std::pair("IN_TILE_DIM", "TILE_DIM"),
        std::pair("height", "width"), std::pair("tile", "tile"), std::pair("", "a")}) {
    EXPECT_FALSE(isMisspelling(a, b)) << a << " " << b;
    EXPECT_FALSE(isMisspelling(b, a)) << b << " " << a;
  }
}

}  // namespace
}  // namespace haloscope
