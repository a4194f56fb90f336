#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "UiDriver.h"
#include "figures/LaunchCosts.h"
#include "state/CostsShown.h"

// What the launch on screen costs, and what the one before the last change did.

namespace haloscope::test {
namespace {

std::shared_ptr<const experiment::Experiment> tiled(const AppState& state, std::int64_t tile) {
  return experiment::run(state.catalogue, {.kernel = "stencil/tiled", .bindings = {{"IN_TILE_DIM", tile}}});
}

std::optional<std::int64_t> tileOf(const std::optional<figures::LaunchCosts>& costs) {
  return costs ? std::optional(costs->bindings.at("IN_TILE_DIM")) : std::nullopt;
}

class CostsTest : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }
  UiDriver driver_;
};

TEST_F(CostsTest, ADragLooksBackToWhereItBegan) {
  CostsShown costs;
  costs.follow(nullptr, false);
  EXPECT_FALSE(costs.now());
  costs.follow(tiled(state(), 8), false);
  ASSERT_TRUE(costs.now());
  EXPECT_FALSE(costs.before());
  for (const std::int64_t tile : {7, 6, 5}) {
    costs.follow(tiled(state(), tile), true);
    EXPECT_EQ(tileOf(costs.now()), tile);
    EXPECT_EQ(tileOf(costs.before()), 8);
  }
  const auto end = tiled(state(), 4);
  costs.follow(end, true);
  costs.follow(end, false);
  EXPECT_EQ(tileOf(costs.now()), 4);
  EXPECT_EQ(tileOf(costs.before()), 8);
  costs.follow(tiled(state(), 4), false);
  EXPECT_EQ(tileOf(costs.before()), 8) << "the same launch again is no change";
  costs.follow(tiled(state(), 5), false);
  EXPECT_EQ(tileOf(costs.before()), 4);
}

TEST(OpPerByteScale, MoreIsFurtherWhateverElseIsShown) {
  EXPECT_EQ(figures::opPerBytePlace(0.1), 0);
  EXPECT_FLOAT_EQ(figures::opPerBytePlace(1), 1.0F / 3);
  EXPECT_LT(figures::opPerBytePlace(1.37), figures::opPerBytePlace(2.68));
  EXPECT_EQ(figures::opPerBytePlace(100), 1);
  EXPECT_EQ(figures::opPerBytePlace(2000), 1) << "it ends there";
  EXPECT_EQ(figures::opPerBytePlace(0), 0);
}

TEST_F(CostsTest, TheNumbersAreTheBooks) {
  // A tile of T^3 inputs has (T - 2)^3 outputs (section 8.3).
  const auto costs = figures::launchCosts(*tiled(state(), 8));
  ASSERT_TRUE(costs && costs->halo);
  EXPECT_DOUBLE_EQ(*costs->halo, 1 - 216.0 / 512);
  EXPECT_DOUBLE_EQ(costs->loadsPerOutput, 512.0 / 216);
  EXPECT_NEAR(costs->opPerByte, 13.0 * 216 / (4 * 512), 1e-9);
  EXPECT_EQ(costs->sharedBytes, 4 * 512);
}

TEST_F(CostsTest, AnInteriorBlockOfALargerGridIsSaidToBeOne) {
  const auto small =
      experiment::run(state().catalogue, {.kernel = "stencil/tiled", .bindings = {{"IN_TILE_DIM", 8}, {"N", 8}}});
  const auto costs = figures::launchCosts(*small);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->bindings.at("N"), 8);
  EXPECT_GT(costs->interior.at("N"), 8);
}

TEST_F(CostsTest, TheCardShowsBoth) {
  state().choice.kernel = "stencil/coarsened";
  state().choice.bindings["IN_TILE_DIM"] = 8;
  driver_.settle();
  state().choice.bindings["IN_TILE_DIM"] = 16;
  driver_.settle();
  EXPECT_EQ(tileOf(state().costs.now()), 16);
  EXPECT_EQ(tileOf(state().costs.before()), 8);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMove((pathOf(state(), Tab::Block) + "/OP\\/B").c_str());
    user->Yield(2);
  }));
}

}  // namespace
}  // namespace haloscope::test
