#include "figures/ConstantUse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "figures/ConstantStep.h"

/// Constant memory: its use, and the passes of a warp's accesses, against numbers derived by hand.
namespace haloscope::figures {
namespace {

ConstantUse useOf(const std::string& id, const Bindings& bindings = {}) {
  const Catalogue& all = test::catalogue();
  return constantUse(*experiment::run(all, {.kernel = id, .bindings = bindings, .block = {}}));
}

/// 64 threads read table[index], once each.
ConstantUse useOfTable(const std::string& index) {
  const KernelFile file = KernelFile::parse("test/table", "table.cu", R"(/* haloscope
title: Table
sizes:
  N: {default: 64, min: 32, max: 1024, meaning: elements}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
launch:
  grid: [ceil(N / 32), 1, 1]
  block: [32, 1, 1]
*/
__constant__ float table[32] = {1, 2};
__global__ void look(const float* in, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i] * table[)" + index + R"(];
}
)");
  return constantUse(*experiment::run(file, {.kernel = file.id, .bindings = {}, .block = {}}));
}

TEST(ConstantUse, AFilterThatAllLanesReadInOneOrderIsBroadcast) {
  const ConstantUse use = useOf("convolution/constant");
  ASSERT_EQ(use.arrays.size(), 1U);
  EXPECT_EQ(use.arrays[0].name, "filter");
  EXPECT_EQ(use.bytes, 36);
  // 64 × 48 pixels in blocks of 16 × 16: 12 blocks of 8 warps, each reads nine elements.
  EXPECT_EQ(use.requests, 12U * 8 * 9);
  EXPECT_EQ(use.passes, use.requests);
  EXPECT_DOUBLE_EQ(use.passesPerRequest(), 1);
  EXPECT_FALSE(use.weights);
}

TEST(ConstantStep, IsTheNearestOfThoseOfTheWarp) {
  recording::Recording recording;
  recording.steps.resize(9);
  const auto access = [&](std::size_t step, std::uint32_t warp, MemorySpace space) {
    recording.steps[step].firstAccess = static_cast<std::uint32_t>(recording.accesses.size());
    recording.steps[step].accessCount = 1;
    recording::AccessGroup group;
    group.warp = warp;
    group.space = space;
    recording.accesses.push_back(group);
  };
  access(1, 0, MemorySpace::Constant);
  access(3, 0, MemorySpace::Global);
  access(4, 1, MemorySpace::Constant);
  access(7, 0, MemorySpace::Constant);
  EXPECT_EQ(nearestConstantStep(recording, 0, 1), 1U);
  EXPECT_EQ(nearestConstantStep(recording, 0, 0), 1U);
  EXPECT_EQ(nearestConstantStep(recording, 0, 3), 1U) << "two steps before, four after";
  EXPECT_EQ(nearestConstantStep(recording, 0, 4), 7U) << "as far away: the later one";
  EXPECT_EQ(nearestConstantStep(recording, 0, 8), 7U);
  EXPECT_EQ(nearestConstantStep(recording, 1, 8), 4U);
  EXPECT_EQ(nearestConstantStep(recording, 2, 4), std::nullopt);
  EXPECT_EQ(nearestConstantStep(recording::Recording{}, 0, 0), std::nullopt);
}

TEST(ConstantUse, LanesThatReadDifferentElementsAreServedOneAfterAnother) {
  for (const auto& [index, passes] :
       {std::pair{"0", 1U}, std::pair{"threadIdx.x / 16", 2U}, std::pair{"i % 8", 8U}, std::pair{"threadIdx.x", 32U}}) {
    const ConstantUse use = useOfTable(index);
    EXPECT_EQ(use.requests, 2U) << index;
    EXPECT_EQ(use.passes, 2 * passes) << index;
    ASSERT_EQ(use.lines.size(), 1U);
    EXPECT_EQ(use.lines[0].line, 15) << index;
    EXPECT_EQ(use.lines[0].passes, 2 * passes);
    EXPECT_EQ(use.bytes, 128);
    EXPECT_EQ(use.arrays[0].loads, 64U);
    EXPECT_TRUE(use.arrays[0].initialised);
  }
}

TEST(ConstantUse, AFilterInGlobalMemoryIsHalfOfWhatIsLoaded) {
  const ConstantUse use = useOf("convolution/basic");
  EXPECT_TRUE(use.arrays.empty());
  EXPECT_EQ(use.requests, 0U);
  EXPECT_EQ(use.passesPerRequest(), 0);
  ASSERT_TRUE(use.weights);
  EXPECT_EQ(use.weights->name, "filter");
  EXPECT_EQ(use.weights->bytes, 36);
  EXPECT_EQ(use.weights->loadBytes * 2, use.weights->allLoadBytes);
}

TEST(ConstantUse, TheTextsOwnCopyIsFoundOutsideCommentsAndForItsOwnSymbol) {
  Catalogue all = test::catalogue();
  experiment::Experiment experiment =
      *experiment::run(all, {.kernel = "convolution/constant", .bindings = {}, .block = {}});
  EXPECT_EQ(constantUse(experiment).arrays[0].copyLine, 0);
  const auto lines = static_cast<int>(std::ranges::count(experiment.file.text, '\n'));
  experiment.file.text +=
      "// cudaMemcpyToSymbol(filter, host, sizeof(filter));\n"
      "/* cudaMemcpyToSymbol(filter,\n   host) */\n"
      "const char* name = \"cudaMemcpyToSymbol(filter, host)\";\n"
      "void upload() {\n"
      "  cudaMemcpyToSymbol(other, filter, sizeof(filter));\n";
  EXPECT_EQ(constantUse(experiment).arrays[0].copyLine, 0);
  experiment.file.text += "  cudaMemcpyToSymbol(filter, host, sizeof(filter));\n}\n";
  EXPECT_EQ(constantUse(experiment).arrays[0].copyLine, lines + 7);
}

TEST(ConstantUse, SharesAreOfTheWhole) {
  // 9 floats of 64 KB; each output loads 9 weights and 9 pixels.
  EXPECT_DOUBLE_EQ(useOf("convolution/constant").share(), 36.0 / 65536);
  ASSERT_TRUE(useOf("convolution/basic").weights);
  EXPECT_DOUBLE_EQ(useOf("convolution/basic").weights->share(), 0.5);
  EXPECT_DOUBLE_EQ(useOfTable("i % 8").lines[0].passesPerRequest(), 8);
  EXPECT_EQ(GlobalWeights{}.share(), 0);
}

}  // namespace
}  // namespace haloscope::figures
