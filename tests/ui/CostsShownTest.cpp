#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "UiDriver.h"
#include "figures/LaunchCosts.h"
#include "measuring/GpuSpecs.h"
#include "state/CostsShown.h"

// What the launch on screen costs, and what the one before the last change did.

namespace haloscope::test {
namespace {

std::shared_ptr<const experiment::Experiment> tiled(const AppState& state, std::int64_t tile) {
  return experiment::run(state.catalogue, {.kernel = "stencil/tiled", .bindings = {{"IN_TILE_DIM", tile}}});
}

std::optional<std::int64_t> tileOf(const std::optional<Costs>& costs) {
  return costs ? std::optional(costs->launch.bindings.at("IN_TILE_DIM")) : std::nullopt;
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

TEST_F(CostsTest, WhatComesLaterIsNoChange) {
  CostsShown costs;
  costs.follow(tiled(state(), 8), false);
  costs.follow(tiled(state(), 6), false);
  costs.add(BlocksHeld{"a", {}, 32, {}}, std::nullopt);
  const auto same = tiled(state(), 6);
  costs.follow(same, false);
  EXPECT_EQ(tileOf(costs.before()), 8);
  costs.add(BlocksHeld{"a", {}, 40, {}}, std::nullopt);
  costs.follow(tiled(state(), 5), false);
  ASSERT_TRUE(costs.before() && costs.before()->blocks);
  EXPECT_EQ(costs.before()->blocks->registers, 40) << "the newest that was known of it";
}

TEST_F(CostsTest, BlocksPerMultiprocessorAreThoseOfTheCodeAndTimeIsPredicted) {
  state().gpuSpecs = measuring::readGpuSpecs(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "gpus.json");
  state().choice.kernel = "stencil/coarsened";
  state().choice.bindings = {{"IN_TILE_DIM", 32}};
  driver_.settle();
  const auto& costs = state().costs.now();
  ASSERT_TRUE(costs && costs->blocks);
  EXPECT_FALSE(costs->time) << "launching takes longer than so small a kernel";
  EXPECT_FALSE(costs->timeMissing.empty()) << "likewise";
  // 1,024 threads a block, of the 2,048 that a multiprocessor of an H200 holds.
  EXPECT_TRUE(costs->blocks->gpu.starts_with("NVIDIA H200")) << costs->blocks->gpu;
  EXPECT_LE(costs->blocks->occupancy.residentBlocks, 2);
  EXPECT_GE(costs->blocks->occupancy.residentBlocks, 1);
  EXPECT_EQ(costs->blocks->registers == 0, !costs->blocks->missing.empty()) << "what is not known has its reason";
  state().choice.bindings["N"] = 210;
  driver_.settle();
  ASSERT_TRUE(costs->time);
  EXPECT_FALSE(costs->time->measured());
  EXPECT_LT(costs->time->lowMs, costs->time->highMs);
  EXPECT_EQ(costs->time->sizes, "N = 210");
  EXPECT_FALSE(costs->time->otherSizes);
}

TEST_F(CostsTest, AMeasuredTimeIsThatOfTheTileOnScreen) {
  driver_.settle();
  measuring::TuningMap map;
  map.kernel = "stencil/tiled";
  map.gpu = "a GPU";
  map.timing = true;
  map.columns = {"IN_TILE_DIM", {6, 8}};
  for (const std::int64_t tile : map.columns.values) {
    measuring::TuningCell cell;
    cell.bindings = state().experiment->bindings;
    cell.bindings["IN_TILE_DIM"] = tile;
    cell.bindings["N"] = 512;
    cell.time = {.medianMs = static_cast<double>(tile), .p10Ms = 5, .p90Ms = 9, .minimumMs = 4, .samples = 20};
    map.cells.push_back(cell);
  }
  state().tuning.map = std::make_shared<const measuring::TuningMap>(map);
  state().tuning.text = state().experiment->file.text;
  driver_.settle();
  ASSERT_TRUE(state().costs.now()->time && state().costs.now()->time->measured());
  EXPECT_EQ(state().costs.now()->time->medianMs, 8);
  EXPECT_EQ(state().costs.now()->time->sizes, "N = 512");
  EXPECT_TRUE(state().costs.now()->time->otherSizes) << "timed at sizes of its own";
  state().choice.bindings["IN_TILE_DIM"] = 6;
  driver_.settle();
  EXPECT_EQ(state().costs.now()->time->medianMs, 6);
  state().tuning.text = "another text";
  driver_.settle();
  EXPECT_FALSE(state().costs.now()->time && state().costs.now()->time->measured());
}

TEST_F(CostsTest, AClickOnTheCardOpensTheTuningMap) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->ItemClick((pathOf(state(), Tab::Block) + "/halo").c_str());
    user->Yield(2);
  }));
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Walk);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Tuning));
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(ImGuiKey_M); }));
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Tuning));
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
