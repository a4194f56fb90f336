#include "figures/CodeReport.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "KernelCatalogue.h"

/// Reports of NVRTC and its assembler for variants, and the resulting occupancy.
namespace haloscope::figures {
namespace {

using test::catalogue;

TEST(CodeReport, ArchitecturesAreReadAndRefused) {
  EXPECT_EQ(targetOfArchitecture("sm_86").capability, 86);
  EXPECT_EQ(targetOfArchitecture("7.5").name, "sm_75");
  EXPECT_EQ(computeCapability(targetOfArchitecture("90")), "9.0");
  for (const char* text : {"", "sm_", "sm_3", "sm_xx", "ampere", "999", "sm_86a", "-86"}) {
    EXPECT_THROW((void)targetOfArchitecture(text), InputError) << text;
  }
}

TEST(CodeReport, VariantsOfAChapterAreSortedByTheirPoints) {
  const std::vector<CodeReport> reports =
      planVariants(catalogue(), catalogue().at("stencil/tiled"), {{"IN_TILE_DIM", 6}});
  ASSERT_EQ(reports.size(), catalogue().chapter("stencil").size());
  EXPECT_TRUE(std::ranges::is_sorted(reports, {}, &CodeReport::points));
  const auto coarsened = std::ranges::find(reports, "stencil/coarsened", &CodeReport::id);
  ASSERT_NE(coarsened, reports.end());
  EXPECT_EQ(coarsened->bindings.at("IN_TILE_DIM"), 6);
  EXPECT_EQ(coarsened->points, 7);
}

TEST(CodeReport, AVariantKeepsItsTileUnlessOneIsGiven) {
  const KernelFile& tiled = catalogue().at("stencil/tiled");
  const auto tilesOf = [](const std::vector<CodeReport>& reports, const std::string& id) {
    std::vector<std::int64_t> tiles;
    for (const CodeReport& report : reports) {
      if (report.id == id) { tiles.push_back(report.bindings.at("IN_TILE_DIM")); }
    }
    return tiles;
  };
  const std::int64_t own = catalogue().at("stencil/3d_19_coarsened").defaults().at("IN_TILE_DIM");
  EXPECT_NE(own, tiled.defaults().at("IN_TILE_DIM"));
  EXPECT_EQ(tilesOf(planVariants(catalogue(), tiled, tiled.defaults()), "stencil/3d_19_coarsened"), std::vector{own});

  const std::vector<CodeReport> sizes = planVariantSizes(catalogue(), tiled, tiled.defaults());
  const std::vector<std::int64_t> coarsened = tilesOf(sizes, "stencil/3d_19_coarsened");
  EXPECT_GT(coarsened.size(), 2U);
  EXPECT_NE(std::ranges::find(coarsened, own), coarsened.end());
  EXPECT_GT(std::ranges::max(coarsened), tiled.findTunable("IN_TILE_DIM")->maximum);
  EXPECT_LE(std::ranges::max(tilesOf(sizes, "stencil/tiled")), tiled.findTunable("IN_TILE_DIM")->maximum);

  const std::vector<CodeReport> said = planVariantSizes(catalogue(), tiled, tiled.bind({{"IN_TILE_DIM", 6}}));
  EXPECT_EQ(tilesOf(said, "stencil/tiled"), std::vector<std::int64_t>{6});
  EXPECT_EQ(tilesOf(said, "stencil/3d_13_coarsened"), std::vector<std::int64_t>{6});
}

class CompiledReport : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reporter_.missing().empty()) { GTEST_SKIP() << reporter_.missing(); }
  }
  CodeReport of(const std::string& id, const Bindings& chosen, const char* architecture) {
    CodeReport report;
    report.bindings = catalogue().at(id).bind(chosen);
    reporter_.report(catalogue().at(id), report, targetOfArchitecture(architecture));
    return report;
  }
  CodeReporter reporter_;
};

TEST_F(CompiledReport, SharedBytesAreThoseOfTheTile) {
  EXPECT_EQ(of("stencil/tiled", {{"IN_TILE_DIM", 8}}, "sm_86").sharedBytes, 8 * 8 * 8 * 4);
  EXPECT_EQ(of("stencil/coarsened", {{"IN_TILE_DIM", 32}}, "sm_86").sharedBytes, 3 * 32 * 32 * 4);
  EXPECT_EQ(of("stencil/register_tiled", {{"IN_TILE_DIM", 32}}, "sm_86").sharedBytes, 32 * 32 * 4);
  EXPECT_EQ(of("stencil/basic", {}, "sm_86").sharedBytes, 0);
}

TEST_F(CompiledReport, BlocksThatAMultiprocessorHoldsFollowFromItsThreads) {
  // 512 threads of a 7-point sweep: multiprocessors with 1024, 1536 and 2048 threads hold 2, 3 and 4 blocks.
  for (const auto& [architecture, blocks] : {std::pair{"sm_75", 2}, std::pair{"sm_86", 3}, std::pair{"sm_90", 4}}) {
    const CodeReport report = of("stencil/tiled", {{"IN_TILE_DIM", 8}}, architecture);
    EXPECT_EQ(report.problem, "");
    EXPECT_GT(report.registers, 10) << architecture;
    EXPECT_LE(report.registers, 32) << architecture;
    EXPECT_EQ(report.spillBytes, 0);
    EXPECT_EQ(report.occupancy.residentBlocks, blocks) << architecture;
    EXPECT_DOUBLE_EQ(report.occupancy.share, 1);
    EXPECT_EQ(report.occupancy.limitedBy, "threads");
  }
}

TEST_F(CompiledReport, SpillsAreReported) {
  KernelFile file = catalogue().at("stencil/basic");
  // 32 values that are live at once do not fit into the 32 registers per thread that two blocks of 1024 threads leave.
  file.text += R"(
__global__ void __launch_bounds__(1024, 2) crowded(const float* in, float* out, unsigned int N) {
  float v[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) { v[i] = in[i * N + threadIdx.x]; }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 48; ++i) { out[i * N + threadIdx.x] = v[47 - i] * v[i]; }
}
)";
  file.kernel = "crowded";
  file.computes.reset();
  CodeReport report;
  report.bindings = file.defaults();
  reporter_.report(file, report, targetOfArchitecture("sm_90"));
  EXPECT_EQ(report.problem, "");
  EXPECT_LE(report.registers, 32);
  EXPECT_GT(report.spillBytes, 0);
}

TEST_F(CompiledReport, WhatCannotBeLaunchedOrCompiledSaysWhy) {
  CodeReport report;
  report.bindings = catalogue().at("stencil/tiled").defaults();
  report.bindings["IN_TILE_DIM"] = 12;
  reporter_.report(catalogue().at("stencil/tiled"), report, targetOfArchitecture("sm_86"));
  EXPECT_TRUE(report.done);
  EXPECT_NE(report.problem.find("1728"), std::string::npos) << report.problem;
  KernelFile broken = catalogue().at("stencil/basic");
  broken.text.replace(broken.text.find("out["), 3, "nothing");
  CodeReport second;
  second.bindings = broken.defaults();
  reporter_.report(broken, second, targetOfArchitecture("sm_86"));
  EXPECT_NE(second.problem.find("nothing"), std::string::npos) << second.problem;
}

}  // namespace
}  // namespace haloscope::figures
