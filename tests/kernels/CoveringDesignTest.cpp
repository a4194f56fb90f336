#include "CoveringDesign.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"

namespace haloscope::test {
namespace {

TEST(CoveringDesign, HasEachPairInFewRows) {
  const std::vector<std::size_t> levels{5, 3, 5, 2};
  const auto rows = pairsOf(levels);
  EXPECT_LE(rows.size(), 30U) << "of 150 combinations; 25 are necessary";
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = a + 1; b < levels.size(); ++b) {
      std::set<std::pair<std::size_t, std::size_t>> met;
      for (const auto& row : rows) { met.emplace(row.at(a), row.at(b)); }
      EXPECT_EQ(met.size(), levels[a] * levels[b]) << a << " and " << b;
    }
  }
  EXPECT_EQ(pairsOf({4}).size(), 4U);
  EXPECT_TRUE(pairsOf({}).empty());
}

TEST(CoveringDesign, TurnsTogetherHaveEveryTileSize) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Tunable& tunable = file.tunables.front();
  const std::vector<std::int64_t> all = tileSizesOf(file, tunable);
  std::set<std::int64_t> tried;
  for (std::size_t turn = 0; turn < all.size(); ++turn) {
    for (const Bindings& one : coveringLaunches(file, turn, {20}, 0, false)) { tried.insert(one.at(tunable.name)); }
  }
  EXPECT_EQ(tried, std::set(all.begin(), all.end()));
}

}  // namespace
}  // namespace haloscope::test
