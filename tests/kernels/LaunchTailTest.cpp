#include "figures/LaunchTail.h"

#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "figures/TailCells.h"
#include "figures/TailWaves.h"

/// Threads and blocks without work, executed and by formula, against numbers derived by hand.
namespace haloscope::figures {
namespace {

using test::catalogue;

KernelFile doubling() {
  return KernelFile::parse("test/doubling", "doubling.cu", R"(/* haloscope
title: Doubling
sizes:
  N: {default: 258, min: 1, max: 100000000, meaning: elements}
tunables:
  BLOCK: {default: 256, min: 32, max: 1024, meaning: threads of a block}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
  c: {shape: [1]}
launch:
  grid: [ceil(N / BLOCK), 1, 1]
  block: [BLOCK, 1, 1]
computes:
  output: out
  input: in
  weights: c
  taps: [[0, 0, 0]]
  border: ghost cells are zero
*/
__constant__ float c[1];
__global__ void doubling(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) { out[i] = c[0] * in[i]; }
}
)");
}

TEST(LaunchTail, TwoElementsBeyondABlockLaunchAWholeOne) {
  const KernelFile file = doubling();
  const LaunchTail tail = countTail(file, file.defaults());
  ASSERT_TRUE(tail.executed) << tail.problem;
  EXPECT_EQ(tail.configuration.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(tail.work.threads, 512U);
  EXPECT_EQ(tail.work.working, 258U);
  EXPECT_EQ(tail.work.helping, 0U);
  EXPECT_EQ(tail.work.idle, 254U);
  EXPECT_EQ(tail.work.warps, 16U);
  EXPECT_EQ(tail.work.fullWarps, 8U);
  EXPECT_EQ(tail.work.partialWarps, 1U);
  EXPECT_EQ(tail.work.idleWarps, 7U);
  ASSERT_EQ(tail.blocks.size(), 2U);
  EXPECT_EQ(tail.blocks[0], (analysis::BlockWork{0, 256, 0, 0}));
  EXPECT_EQ(tail.blocks[1], (analysis::BlockWork{1, 2, 0, 254}));
  EXPECT_EQ(tail.blocksWithoutWork(), 0U);
}

TEST(LaunchTail, BlocksTakenTogetherAreTheSumOfTheirThreads) {
  const KernelFile file = doubling();
  const LaunchTail tail = countTail(file, file.defaults());
  ASSERT_TRUE(tail.executed) << tail.problem;
  // 258 elements: 256 threads of block 0 and two of block 1 store one.
  EXPECT_EQ(tail.together({0, 0, 0}, {1, 1, 1}).working, 256U);
  EXPECT_EQ(tail.together({1, 0, 0}, {1, 1, 1}).working, 2U);
  EXPECT_DOUBLE_EQ(tail.together({1, 0, 0}, {1, 1, 1}).workingShare(), 2.0 / 256);
  const BlockGroup all = tail.together({0, 0, 0}, {4, 4, 4});
  EXPECT_EQ(all.threads, 512U);
  EXPECT_EQ(all.working, 258U);
  EXPECT_EQ(all.idle, 254U);
  EXPECT_EQ(tail.together({2, 0, 0}, {1, 1, 1}).threads, 0U);
  EXPECT_EQ(tail.together({2, 0, 0}, {1, 1, 1}).workingShare(), 0);
  EXPECT_EQ(tail.threadsWithoutResult(), 254U);
  EXPECT_DOUBLE_EQ(tail.withoutResult(), 254.0 / 512);
  EXPECT_EQ(LaunchTail{}.withoutResult(), 0);
}

TEST(TailWaves, ABlockMoreThanTheGpuHoldsBeginsAnotherWave) {
  CodeReport code;
  code.occupancy.residentBlocks = 3;
  const CodeTarget target{86, "a GPU", 28};
  const auto waves = tailWaves({.grid = {85, 1, 1}, .block = {256, 1, 1}}, code, target);
  ASSERT_TRUE(waves);
  EXPECT_EQ(waves->residentBlocks, 84U);
  EXPECT_DOUBLE_EQ(waves->waves, 85.0 / 84);
  EXPECT_FALSE(tailWaves({}, {}, target)) << "no code: what it holds is not known";
  EXPECT_FALSE(tailWaves({}, code, {86, "sm_86", 0})) << "how many multiprocessors is not known";
}

TEST(LaunchTail, TheRimOfATileHelps) {
  // N = 14 with 6 outputs per block: 3 blocks along each axis, the last covers 12 and 13, of which 13 keeps its value.
  const KernelFile& file = catalogue().at("stencil/tiled");
  const LaunchTail tail = countTail(file, file.bind({{"N", 14}}));
  ASSERT_TRUE(tail.executed) << tail.problem;
  EXPECT_EQ(tail.work.threads, 27U * 512);
  EXPECT_EQ(tail.work.working, 12U * 12 * 12);
  EXPECT_EQ(tail.work.working + tail.work.helping + tail.work.idle, tail.work.threads);
  EXPECT_EQ(tail.blocks[0].working, 125U);  // 5 of its 6 outputs along each axis: the first keeps its value
  EXPECT_EQ(tail.blocks[26].working, 1U);
}

TEST(LaunchTail, TheFormulaIsWhatIsExecuted) {
  for (const char* id : {"stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled",
                         "convolution/basic", "convolution/tiled_input_block", "convolution/tiled_output_block"}) {
    const KernelFile& file = catalogue().at(id);
    const Bindings bindings = file.defaults();
    const std::string size = file.sizes.front().name;
    const TailCurve curve = tailCurve(file, bindings, size, 3, 27);
    ASSERT_EQ(curve.samples.size(), 25U) << id;
    EXPECT_EQ(curve.note, "");
    for (const std::size_t at : {0U, 4U, 5U, 9U, 10U, 11U, 17U, 24U}) {
      const TailSample& sample = curve.samples[at];
      const LaunchTail tail = countTail(file, withSize(file, bindings, size, sample.size));
      ASSERT_TRUE(tail.executed) << id << tail.problem;
      EXPECT_EQ(sample.threads, tail.work.threads) << id << " " << sample.size;
      EXPECT_EQ(sample.working, tail.work.working) << id << " " << sample.size;
    }
  }
}

TEST(LaunchTail, AThreadThatWalksIsCountedOnce) {
  // N = 32: 6 blocks of 6 planes each; 30 × 30 threads of each loop along z.
  const KernelFile& file = catalogue().at("stencil/coarsened");
  const auto pattern = tailPattern(file, file.defaults());
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->working({6, 6, 6}, {32, 32, 32}), 30U * 30 * 6);
  // N = 31: the sixth block along each axis covers point 30 alone, which keeps its value.
  EXPECT_EQ(pattern->working({6, 6, 6}, {31, 31, 31}), 29U * 29 * 5);
}

TEST(LaunchTail, TheShareIsASawtooth) {
  const KernelFile file = doubling();
  const TailCurve curve = tailCurve(file, file.defaults(), "N", 250, 520);
  ASSERT_EQ(curve.samples.size(), 271U);
  const auto share = [&](std::int64_t size) {
    return *curve.samples.at(static_cast<std::size_t>(size - 250)).withoutWork();
  };
  EXPECT_DOUBLE_EQ(share(256), 0);
  EXPECT_DOUBLE_EQ(share(257), 1 - 257.0 / 512);
  EXPECT_DOUBLE_EQ(share(512), 0);
  EXPECT_DOUBLE_EQ(share(513), 1 - 513.0 / 768);
}

TEST(LaunchTail, ThePatternDoesNotDependOnTheSizeItIsAskedAt) {
  const KernelFile& file = catalogue().at("convolution/tiled_output_block");
  const auto small = tailPattern(file, file.bind({{"width", 1}, {"height", 1}}));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->working({17, 17, 1}, {258, 258}), 258U * 258);
}

TEST(LaunchTail, WhatIsTooLargeIsNotExecuted) {
  const KernelFile file = doubling();
  const LaunchTail tail = countTail(file, file.bind({{"N", 100000000}}));
  EXPECT_FALSE(tail.executed);
  EXPECT_NE(tail.problem.find("100,000,000"), std::string::npos) << tail.problem;
  EXPECT_EQ(tail.configuration.grid.x, 390625U);
}

TEST(LaunchTail, AFaultIsReported) {
  KernelFile file = doubling();
  file.text.replace(file.text.find("if (i < N)"), 10, "if (i <= N)");
  const LaunchTail tail = countTail(file, file.defaults());
  EXPECT_FALSE(tail.executed);
  EXPECT_NE(tail.problem.find("Line "), std::string::npos) << tail.problem;
}

TEST(LaunchTail, WithoutAHeaderThereIsNoFormula) {
  KernelFile file = doubling();
  file.computes.reset();
  EXPECT_FALSE(tailPattern(file, file.defaults()));
  const TailCurve curve = tailCurve(file, file.defaults(), "N", 250, 260);
  EXPECT_NE(curve.note, "");
  EXPECT_EQ(curve.samples.front().threads, 256U);
  EXPECT_FALSE(curve.samples.front().withoutWork());
}

TEST(LaunchTail, SizesThatAreEqualRunTogether) {
  const KernelFile& file = catalogue().at("convolution/basic");
  EXPECT_EQ(withSize(file, file.bind({{"width", 64}, {"height", 64}}), "width", 258).at("height"), 258);
  EXPECT_EQ(withSize(file, file.bind({{"width", 64}, {"height", 48}}), "width", 258).at("height"), 48);
}

/// Blocks of 32 threads, of which `working` store something.
LaunchTail tailOf(const Dim3& grid, auto working) {
  LaunchTail tail;
  tail.configuration = {.grid = grid, .block = {32, 1, 1}};
  tail.executed = true;
  for (std::uint64_t block = 0; block < grid.count(); ++block) {
    const std::uint32_t stored = working(block);
    tail.blocks.push_back({block, stored, 0, 32 - stored});
  }
  return tail;
}

TEST(TailCells, SixRowsOfBlocksToACell) {
  // 2 × 258 blocks: at most 48 rows are drawn, so a cell is six rows, which gives 43 cells. Block (1,5), the twelfth,
  // stores nothing.
  const LaunchTail tail = tailOf({2, 258, 1}, [](std::uint64_t block) { return block == 11 ? 0U : 32U; });
  const TailCells cells = tailCells(tail);
  EXPECT_EQ(cells.columns, 2U);
  EXPECT_EQ(cells.rows, 43U);
  EXPECT_EQ(cells.blocksAlongX, 1U);
  EXPECT_EQ(cells.blocksAlongY, 6U);
  EXPECT_TRUE(cells.together());
  EXPECT_EQ(cells.blocksWithoutWork, 1U);
  EXPECT_EQ(cells.at(1, 0, 0).blocksWithoutWork, 1U);
  EXPECT_EQ(cells.at(1, 0, 0).working, 5U * 32);
  EXPECT_EQ(cells.at(0, 0, 0).blocksWithoutWork, 0U);
  EXPECT_EQ(cells.at(0, 42, 0).blocks, 6U);
}

TEST(TailCells, TheLastCellsHaveFewerBlocks) {
  const TailCells cells = tailCells(tailOf({129, 1, 2}, [](std::uint64_t block) { return block < 129 ? 32U : 0U; }));
  EXPECT_EQ(cells.columns, 65U);
  EXPECT_EQ(cells.planes, 2U);
  EXPECT_EQ(cells.at(64, 0, 0).blocks, 1U);
  EXPECT_EQ(cells.at(63, 0, 0).blocks, 2U);
  EXPECT_EQ(cells.at(63, 0, 1).blocksWithoutWork, 2U);
  EXPECT_EQ(cells.blocksWithoutWork, 129U);
}

TEST(TailCells, NothingExecutedIsNoCell) { EXPECT_TRUE(tailCells(LaunchTail{}).cells.empty()); }

TEST(TailDefaults, ABlockLongerThanTheGridGetsTheBooks258AlongIt) {
  const KernelFile& laplacian = catalogue().at("laplacian/basic");  // blocks of 256 × 1 × 1
  const Bindings sizes = tailDefaults(laplacian, laplacian.defaults());
  EXPECT_EQ(sizes.at("nx"), 258);
  EXPECT_EQ(sizes.at("ny"), 66);
  EXPECT_EQ(sizes.at("nz"), 66);
  const KernelFile& tiled = catalogue().at("stencil/tiled");
  EXPECT_EQ(tailDefaults(tiled, tiled.defaults()).at("N"), 66);
}

}  // namespace
}  // namespace haloscope::figures
