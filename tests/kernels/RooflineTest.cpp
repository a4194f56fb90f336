#include "measuring/Roofline.h"

#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "measuring/OpPerByteWays.h"

/// A kernel's bounds, its measured performance, and the ways to determine its OP/B.
namespace haloscope::experiment {
namespace {

std::shared_ptr<const Experiment> basic() {
  const Catalogue& catalogue = test::catalogue();
  return run(catalogue, {.kernel = "stencil/basic", .bindings = {{"N", 32}}, .block = std::nullopt});
}

TEST(RooflineTest, ARoofIsASlopeAndACeiling) {
  const measuring::Roof roof{.bandwidthGBs = 100, .peakGFlops = 1000};
  EXPECT_EQ(roof.at(2), 200);
  EXPECT_EQ(roof.at(50), 1000);
  EXPECT_EQ(roof.ridge(), 10);
  EXPECT_EQ((measuring::Roof{.bandwidthGBs = 100, .peakGFlops = 0}.at(50)), 5000) << "the peak is not known";
}

TEST(RooflineTest, OperationsAreScaledToTheTimedField) {
  const auto experiment = basic();
  EXPECT_EQ(measuring::computedType(*experiment), ValueType::F32);
  EXPECT_EQ(measuring::achieved(*experiment, {32, 32, 32}, 0).has_value(), false);
  const auto same = measuring::achieved(*experiment, {32, 32, 32}, 1);
  EXPECT_NEAR(same->gflops, 13 * 27000 / 1e6, 1e-9);
  EXPECT_FALSE(same->scaled);
  const auto larger = measuring::achieved(*experiment, {64, 64, 64}, 1);
  EXPECT_NEAR(larger->gflops, 8 * same->gflops, 1e-9);
  EXPECT_TRUE(larger->scaled);
}

TEST(RooflineTest, TheWaysToOpPerByteHaveTheirNumbers) {
  using Kind = measuring::OpPerByteWay::Kind;
  const auto experiment = basic();
  std::vector<measuring::OpPerByteWay> ways = measuring::opPerByteWays(*experiment, nullptr);
  ASSERT_EQ(ways.size(), 4U);
  EXPECT_EQ(ways[0].kind, Kind::Formula);
  EXPECT_EQ(ways[2].how.front(), "351,000 flops / 756,000 B");
  measuring::HardwareReading reading;
  reading.gpu = "NVIDIA H200";
  reading.bindings = {{"N", 320}};
  reading.flops = 418046616;
  reading.loadBytes = 900408096;
  reading.counters.dramReadBytes = 137e6;
  reading.counters.dramWrittenBytes = 129e6;
  reading.milliseconds = 0.1685;
  reading.copyGBs = 3924;
  ways = measuring::opPerByteWays(*experiment, &reading);
  ASSERT_EQ(ways.size(), 6U);
  EXPECT_EQ(ways[4].kind, Kind::Dram);
  EXPECT_NEAR(ways[4].value, 1.5716, 1e-4);
  EXPECT_EQ(ways[4].how,
            (std::vector<std::string>{"418,046,616 flops / 266,000,000 B",
                                      "hardware counters: DRAM read 137 MB and wrote 129 MB",
                                      "NVIDIA H200, N = 320: the emulator counts 0.4643 OP/B there, loads only"}));
  EXPECT_EQ(ways[5].kind, Kind::Time);
  EXPECT_NEAR(ways[5].value, 0.6323, 1e-4);
  reading.counters = {};
  EXPECT_EQ(measuring::opPerByteWays(*experiment, &reading).size(), 5U)
      << "a GPU that counted nothing has no way by DRAM";
}

TEST(RooflineTest, BorderBlocksExplainTheWholeGrid) {
  const auto experiment = basic();
  EXPECT_TRUE(measuring::hasInteriorBlock(*experiment));
  const Catalogue& catalogue = test::catalogue();
  const auto tiled = run(catalogue, {.kernel = "stencil/tiled", .bindings = {}, .block = std::nullopt});
  EXPECT_EQ(measuring::explainOpPerByte(*tiled).line,
            "152 of 216 blocks at the border: a block averages 1,625 flops on 1,372 B");
}

}  // namespace
}  // namespace haloscope::experiment
