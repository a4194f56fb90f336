#include "measuring/TileSearch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "measuring/TuningMap.h"

/// The search for the fastest tile, on times that a formula gives.
namespace haloscope::measuring {
namespace {

using ::testing::Each;
using ::testing::Le;

double octaves(const Bindings& bindings, const std::string& name, double from) {
  return std::abs(std::log2(static_cast<double>(bindings.at(name)) / from));
}

TileSearch searched(const std::string& id, const Bindings& begin, int candidates,
                    const std::function<double(const Bindings&)>& timeOf) {
  const KernelFile& file = test::catalogue().at(id);
  return searchTiles(file, file.bind(begin), candidates, [&](const std::vector<Bindings>& all) {
    std::vector<double> times;
    for (const Bindings& one : all) { times.push_back(timeOf(one)); }
    return times;
  });
}

TEST(TileSearch, FewTrialsReachTheLastTunable) {
  const auto timeOf = [](const Bindings& one) {
    return 1 + octaves(one, "PLANES", 64) + 0.1 * octaves(one, "BLOCK_Y", 16);
  };
  const TileSearch found = searched("beyond/3d_7_time", {{"N", 512}}, 24, timeOf);
  EXPECT_EQ(found.best.at("PLANES"), 64);
  EXPECT_EQ(found.best.at("BLOCK_Y"), 16);
  EXPECT_DOUBLE_EQ(found.milliseconds, 1);
  EXPECT_LE(found.tried, 24);
}

TEST(TileSearch, MovesTwoTunablesWhereNeitherAloneHelps) {
  // A valley along ROWS * BLOCK_Y = 16, which each step along one axis leaves.
  const auto timeOf = [](const Bindings& one) {
    const double rows = static_cast<double>(one.at("ROWS") * one.at("BLOCK_Y"));
    return 1 + 10 * std::abs(std::log2(rows / 16)) + 0.1 * octaves(one, "BLOCK_Y", 16);
  };
  const TileSearch found =
      searched("beyond/3d_7_time", {{"N", 512}, {"STEPS", 1}, {"ROWS", 4}, {"BLOCK_Y", 4}}, 80, timeOf);
  EXPECT_EQ(found.best.at("BLOCK_Y"), 16);
  EXPECT_EQ(found.best.at("ROWS"), 1);
}

TEST(TileSearch, KeepsToItsTrialsAndWhatRuns) {
  std::vector<int> asked;
  const KernelFile& file = test::catalogue().at("beyond/3d_7_march");
  const TileSearch found = searchTiles(file, file.bind(Bindings{{"N", 512}}), 5, [&](const std::vector<Bindings>& all) {
    asked.push_back(static_cast<int>(all.size()));
    return std::vector<double>(all.size(), 0);
  });
  EXPECT_EQ(found.tried, 5);
  EXPECT_THAT(asked, Each(Le(4)));
  EXPECT_EQ(found.best, file.bind(Bindings{{"N", 512}}));
  EXPECT_EQ(found.milliseconds, 0);
}

}  // namespace
}  // namespace haloscope::measuring
