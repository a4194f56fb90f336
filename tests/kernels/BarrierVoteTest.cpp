#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "LaunchOutput.h"

// Barriers with a result, shuffles of a width that the text does not settle.

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(BarrierVote, CountsTheThreadsOfTheBlockThatSayYes) {
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    SmallLaunch kernel(R"(__global__ void k(int* out) {
  int t = threadIdx.x;
  int few = __syncthreads_count(t % 3 == 0) + 1000 * __syncthreads_count(t >= 40);
  int any = __syncthreads_or(t == 99) * 2 + __syncthreads_or(t == 100);
  int all = __syncthreads_and(t < 100) * 2 + __syncthreads_and(t < 99);
  out[t] = few * 100 + any * 10 + all;
})",
                       {1, 1, 1}, {100, 1, 1}, 100);
    EXPECT_EQ(outputOf(kernel, {.schedule = schedule}), std::vector<std::int32_t>(100, 6003422));
    EXPECT_THAT(kernel.faults(), IsEmpty());
  }
}

TEST(BarrierVote, AsksThreadsThatHaveNotLeft) {
  SmallLaunch kernel(R"(__global__ void k(int* out) {
  int t = threadIdx.x, round = 0;
  while (__syncthreads_or(t > 10 * ++round)) {}
  out[t] = round;
})",
                     {1, 1, 1}, {64, 1, 1}, 64);
  EXPECT_EQ(outputOf(kernel), std::vector<std::int32_t>(64, 7));
}

TEST(BarrierVote, IsABarrier) {
  const std::string text = R"(__global__ void k(int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  int n = VOTE;
  out[t] = tile[63 - t] + n;
})";
  const auto with = [&](const std::string& vote) {
    std::string one = text;
    one.replace(one.find("VOTE"), 4, vote);
    return kindsOf(SmallLaunch(one, {1, 1, 1}, {64, 1, 1}, 64).faults());
  };
  EXPECT_THAT(with("__syncthreads_count(t < 7)"), IsEmpty());
  EXPECT_THAT(with("t < 7"), ::testing::ElementsAre(FindingKind::RaceShared));
  EXPECT_THAT(with("t < 40 ? __syncthreads_count(t < 7) : 0"), ::testing::Contains(FindingKind::DivergentBarrier));
  EXPECT_THAT(with("__syncthreads_count(tile[t + 1 & 63] < 7)"), ::testing::Contains(FindingKind::RaceShared));
}

TEST(BarrierVote, OfAnUninitialisedValueIsAFinding) {
  const std::vector<Finding> faults = SmallLaunch(R"(__global__ void k(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x / 2] = 1;
  __syncthreads();
  out[threadIdx.x] = __syncthreads_and(tile[threadIdx.x]);
})",
                                                  {1, 1, 1}, {64, 1, 1}, 64)
                                          .faults();
  EXPECT_THAT(kindsOf(faults), ::testing::ElementsAre(FindingKind::Uninitialized));
}

TEST(ShuffleWidth, MayBeAnyNumberThatTheKernelKnowsOnlyWhenItRuns) {
  for (const std::uint64_t width : {1, 2, 4, 8, 16, 32}) {
    SmallLaunch kernel(R"(__global__ void k(int* out, int width) {
  int t = threadIdx.x;
  int down = __shfl_down_sync(0xffffffff, t, 3, width) - __shfl_down_sync(0xffffffff, t, 3, W);
  int up = __shfl_up_sync(0xffffffff, t, 5, width) - __shfl_up_sync(0xffffffff, t, 5, W);
  int flipped = __shfl_xor_sync(0xffffffff, t, 6, width) - __shfl_xor_sync(0xffffffff, t, 6, W);
  int one = __shfl_sync(0xffffffff, t, 9, width) - __shfl_sync(0xffffffff, t, 9, W);
  out[t] = down * 1000000 + up * 10000 + flipped * 100 + one;
})",
                       {1, 1, 1}, {32, 1, 1}, 32, width, {{"W", std::to_string(width)}});
    EXPECT_EQ(outputOf(kernel), std::vector<std::int32_t>(32, 0)) << width;
    EXPECT_THAT(kernel.faults(), IsEmpty());
  }
}

TEST(ShuffleWidth, ThatIsNoneIsAFinding) {
  const std::vector<Finding> faults =
      SmallLaunch("__global__ void k(int* out, int width) { out[threadIdx.x] = __shfl_sync(0xffffffff, 1, 0, width); }",
                  {1, 1, 1}, {32, 1, 1}, 32, 12)
          .faults();
  ASSERT_THAT(kindsOf(faults), ::testing::ElementsAre(FindingKind::Uninitialized));
  EXPECT_THAT(faults[0].message, HasSubstr("what a shuffle of width 12 gives is read by thread (0,0,0) of block "
                                           "(0,0,0) at line 1; a width must be 1, 2, 4, 8, 16 or 32"));
}

}  // namespace
}  // namespace haloscope::test
