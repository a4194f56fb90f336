#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"
#include "analysis/Recorder.h"

// grid.sync() of cooperative groups: all blocks of the launch meet.

namespace haloscope::test {
namespace {

using faults::FindingKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Each block's threads write their numbers, then read those of the mirror image in another block.
const char* const kMirror = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out, int* between) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 0; round < 3; ++round) {
    between[i] = (round == 0 ? i : out[i]) + 1;
    grid.sync();
    out[i] = between[n - 1 - i];
    SECOND
  }
}
)";

std::string mirror(const std::string& second) {
  std::string text = kMirror;
  return text.replace(text.find("SECOND"), 6, second);
}

TEST(GridBarrier, BringsAllBlocksTogether) {
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    for (const simt::WarpOrder order : {simt::WarpOrder::SideBySide, simt::WarpOrder::Random}) {
      SmallLaunch kernel(mirror("grid.sync();"), {5, 1, 1}, {40, 1, 1}, 200);
      const std::vector<std::int32_t> out = outputOf(kernel, {.schedule = schedule, .order = order});
      for (std::int32_t i = 0; i < 200; ++i) { EXPECT_EQ(out[static_cast<std::size_t>(i)], 199 - i + 3); }
    }
  }
}

TEST(GridBarrier, OrdersTheBlocks) {
  EXPECT_THAT(SmallLaunch(mirror("grid.sync();"), {5, 1, 1}, {40, 1, 1}, 200).faults({"between", "out"}), IsEmpty());
  // Without the second one, a block may write what another still reads.
  const auto racing = SmallLaunch(mirror(""), {6, 1, 1}, {40, 1, 1}, 240).faults({"between", "out"});
  ASSERT_THAT(kindsOf(racing), ElementsAre(FindingKind::RaceGlobal));
  EXPECT_EQ(racing[0].where.line, 7);
  EXPECT_EQ(racing[0].other.line, 9);
  EXPECT_NE(racing[0].threads[0].block, racing[0].threads[1].block);
  EXPECT_THAT(racing[0].message, HasSubstr("no barrier of the grid"));
}

TEST(GridBarrier, FindsWhatNoBlockHasWritten) {
  const auto faults = SmallLaunch(R"(#include <cooperative_groups.h>
__global__ void k(int* out, int* between) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i != 17) between[i] = i;
  cooperative_groups::this_grid().sync();
  out[i] = between[gridDim.x * blockDim.x - 1 - i];
})",
                                  {3, 1, 1}, {32, 1, 1}, 96)
                          .faults({"between"});
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::Uninitialized));
  EXPECT_THAT(faults[0].message, HasSubstr("between[17]"));
}

TEST(GridBarrier, NeedsACooperativeLaunch) {
  SmallLaunch kernel(mirror("grid.sync();"), {5, 1, 1}, {40, 1, 1}, 200);
  kernel.launch.configuration.cooperative = false;
  const auto faults = kernel.faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::GridBarrier));
  EXPECT_EQ(faults[0].where.line, 8);
  EXPECT_THAT(faults[0].message, HasSubstr("cudaLaunchCooperativeKernel"));
}

TEST(GridBarrier, ThatABlockDoesNotReachIsAFinding) {
  const auto faults = SmallLaunch(R"(#include <cooperative_groups.h>
__global__ void k(int* out) {
  if (blockIdx.x == 2) return;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = 1;
})",
                                  {4, 1, 1}, {32, 1, 1}, 4)
                          .faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::GridBarrier));
  EXPECT_THAT(faults[0].message, HasSubstr("block (2,0,0) does not reach"));
}

TEST(GridBarrier, ALaunchMayBeTooLarge) {
  SmallLaunch kernel(
      "#include <cooperative_groups.h>\n"
      "__global__ void k(int* out) { cooperative_groups::this_grid().sync(); out[0] = 1; }",
      {9000, 1, 1}, {32, 1, 1}, 1);
  EXPECT_THROW(simt::execute(kernel.program, kernel.launch), InputError);
}

TEST(GridBarrier, ABlockIsRecordedAmongTheOthers) {
  const SmallLaunch kernel(mirror("grid.sync();"), {5, 1, 1}, {40, 1, 1}, 200);
  const auto recording =
      analysis::record(std::make_shared<const Program>(kernel.program), kernel.launch, {1, 0, 0}, {});
  EXPECT_FALSE(recording->truncated);
  EXPECT_EQ(recording->intervals.size(), 7U);
}

}  // namespace
}  // namespace haloscope::test
