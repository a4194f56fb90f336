#include "live/Comparer.h"
#include "state/ComparedBlock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "state/Comparison.h"
#include "work/Pool.h"

// Variants side by side: each with the block that computes the same output cell, on a common timeline.

namespace haloscope::experiment {
namespace {

using test::catalogue;

ComparedRequest request(const std::string& id, const Bindings& bindings = {}) {
  return {opening::Request{Choice{id, bindings, std::nullopt}, catalogue().at(id), false, {}}, nullptr};
}

/// out[i][j][k] of the stencils at N = 32.
CommonCell pointOf32(std::int64_t i, std::int64_t j, std::int64_t k) { return {(i * 32 + j) * 32 + k, {32, 32, 32}}; }

TEST(ComparedBlock, EveryStencilHasABlockThatComputesTheCellFromTheSameSevenPoints) {
  const CommonCell cell = pointOf32(21, 10, 17);
  for (const char* id : {"stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled"}) {
    const ComparedBlock block = compareBlock(request(id), cell);
    ASSERT_NE(block.experiment, nullptr) << id << ": " << block.problem;
    EXPECT_TRUE(block.experiment->writes.writer(cell.element)) << id;
    ASSERT_NE(block.trace, nullptr) << id;
    EXPECT_EQ(block.trace->trace.element, cell.element) << id;
    std::vector<std::int64_t> read;
    for (const provenance::Operand& operand : block.trace->trace.operands) {
      if (operand.object == block.experiment->footprint.input) { read.push_back(operand.element); }
    }
    std::ranges::sort(read);
    const std::int64_t c = cell.element;
    EXPECT_EQ(read, (std::vector<std::int64_t>{c - 1024, c - 32, c - 1, c, c + 1, c + 32, c + 1024})) << id;
  }
}

TEST(ComparedBlock, AKnownBlockThatComputesTheCellIsUsedAgain) {
  ComparedRequest one = request("stencil/tiled");
  one.known = compareBlock(one, pointOf32(21, 10, 17)).experiment;
  const std::int64_t neighbour = one.known->footprint.outputs.front();
  EXPECT_EQ(compareBlock(one, {neighbour, {32, 32, 32}}).experiment, one.known);
  const ComparedBlock elsewhere = compareBlock(one, pointOf32(2, 2, 2));
  ASSERT_NE(elsewhere.experiment, nullptr);
  EXPECT_NE(elsewhere.experiment->block, one.known->block);
  EXPECT_EQ(elsewhere.experiment->bindings, one.known->bindings);
}

TEST(ComparedBlock, WhatHasNoSuchCellSaysWhy) {
  EXPECT_EQ(compareBlock(request("convolution/basic"), pointOf32(1, 1, 1)).problem,
            "its output has 48×64 elements, not 32×32×32: the cell is not in it");
  EXPECT_EQ(compareBlock(request("stencil/basic"), pointOf32(0, 0, 0)).problem, "no thread writes the cell");
  EXPECT_NE(compareBlock(request("stencil/tiled", {{"IN_TILE_DIM", 99}}), pointOf32(1, 1, 1)).problem, "");
}

TEST(ComparedBlock, TheLoadsOfTheTiledBlockAreFewer) {
  const CommonCell cell = pointOf32(16, 16, 16);
  const ComparedBlock basic = compareBlock(request("stencil/basic"), cell);
  const ComparedBlock tiled = compareBlock(request("stencil/tiled"), cell);
  EXPECT_EQ(basic.tally.loads(), 8U * 8 * 8 * 7);
  EXPECT_EQ(basic.experiment->footprint.outputs.size(), 8U * 8 * 8);
  EXPECT_EQ(tiled.tally.loads(), 8U * 8 * 8);
  EXPECT_EQ(tiled.experiment->footprint.outputs.size(), 6U * 6 * 6);
}

TEST(ComparedBlock, PhasesCutARecordingWithoutGaps) {
  for (const char* id : {"stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled"}) {
    const ComparedBlock block = compareBlock(request(id), pointOf32(21, 10, 17));
    const auto phases = cellPhases(block);
    ASSERT_EQ(phases.size(), 4U) << id;
    std::uint32_t step = 0;
    for (const recording::Interval& phase : phases) {
      EXPECT_EQ(phase.firstStep, step) << id;
      EXPECT_GE(phase.endStep, phase.firstStep) << id;
      step = phase.endStep;
    }
    EXPECT_EQ(step, block.experiment->recording->steps.size()) << id;
    EXPECT_EQ(phases[2].endStep, block.trace->trace.step + 1) << id;
  }
}

TEST(ComparedBlock, LinedUpByTheCellAllWriteItAtOneTick) {
  std::vector<ComparedBlock> blocks;
  std::vector<recording::Lockstep::Sections> tracks;
  for (const char* id : {"stencil/basic", "stencil/tiled", "stencil/coarsened"}) {
    blocks.push_back(compareBlock(request(id), pointOf32(21, 10, 17)));
    tracks.push_back(cellPhases(blocks.back()));
  }
  recording::Lockstep time(tracks);
  time.goToStep(2, blocks[2].trace->trace.step + 1);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(time.positionOf(i), blocks[i].trace->trace.step + 1) << i;
  }
}

TEST(ComparedBlock, WhereTheCellCannotBeFollowedIntervalsLineUp) {
  Comparison comparison;
  comparison.lineUp = LineUp::Cell;
  for (const char* id : {"stencil/basic", "stencil/tiled"}) {
    ComparedVariant variant;
    variant.choice.kernel = id;
    variant.block = compareBlock(request(id), pointOf32(21, 10, 17));
    variant.cursor = recording::Cursor(variant.block.experiment->recording);
    comparison.variants.push_back(std::move(variant));
  }
  EXPECT_EQ(comparison.untraced(), nullptr);
  EXPECT_EQ(comparison.linedUpBy(), LineUp::Cell);
  comparison.variants[1].block.trace = nullptr;
  EXPECT_TRUE(cellPhases(comparison.variants[1].block).empty()) << "nothing is known of the cell's phases";
  EXPECT_EQ(comparison.untraced(), &comparison.variants[1]);
  EXPECT_EQ(comparison.linedUpBy(), LineUp::Interval);
  comparison.variants[1].cursor = {};
  EXPECT_EQ(comparison.linedUpBy(), LineUp::Cell) << "a variant that is not on screen does not count";
}

TEST(ComparedBlock, LinedUpByIntervalTheOneWithoutABarrierHasOne) {
  std::vector<recording::Lockstep::Sections> tracks;
  for (const char* id : {"stencil/basic", "stencil/tiled", "stencil/coarsened"}) {
    tracks.push_back(intervalSections(*compareBlock(request(id), pointOf32(21, 10, 17)).experiment->recording));
  }
  EXPECT_EQ(tracks[0].size(), 1U);
  EXPECT_EQ(tracks[1].size(), 2U);
  EXPECT_EQ(tracks[2].size(), 13U);
}

TEST(ComparisonRunner, TheNewestRequestIsMadeInOrder) {
  work::Pool pool;
  ComparisonRunner runner(pool);
  runner.request({{request("stencil/basic"), request("stencil/tiled")}, pointOf32(3, 3, 3)});
  runner.request(
      {{request("stencil/tiled"), request("convolution/basic"), request("stencil/basic")}, pointOf32(9, 9, 9)});
  runner.finish();
  const auto first = runner.poll();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->variant, 0U);
  ASSERT_NE(first->block.experiment, nullptr);
  EXPECT_EQ(first->block.experiment->file.id, "stencil/tiled");
  EXPECT_TRUE(first->block.experiment->writes.writer(pointOf32(9, 9, 9).element));
  EXPECT_NE(runner.poll()->block.problem, "");
  EXPECT_EQ(runner.poll()->block.experiment->file.id, "stencil/basic");
  EXPECT_FALSE(runner.poll());
  EXPECT_FALSE(runner.busy());
}

TEST(ComparisonRunner, EndsInTheMiddleOfARequest) {
  work::Pool pool;
  ComparisonRunner runner(pool);
  runner.request({{request("stencil/basic", {{"N", 128}}), request("stencil/tiled")}, {5, {128, 128, 128}}});
  runner.cancel();
  EXPECT_FALSE(runner.busy());
  EXPECT_FALSE(runner.poll());
}

}  // namespace
}  // namespace haloscope::experiment
