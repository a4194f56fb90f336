#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"

// Masks of shuffles, votes and __syncwarp() that name lanes which do not arrive.

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Finding> faultsOf(const std::string& body, std::uint32_t threads = 64, std::uint64_t n = 0) {
  const std::string text =
      "#include <cooperative_groups.h>\n__global__ void k(int* out, int n) {\n  int t = threadIdx.x, v = t;\n" + body +
      "\n  out[t] = v;\n}";
  return SmallLaunch(text, {2, 1, 1}, {threads, 1, 1}, 64, n).faults();
}

std::vector<FindingKind> kindsIn(const std::string& body, std::uint32_t threads = 64, std::uint64_t n = 0) {
  return kindsOf(faultsOf(body, threads, n));
}

const auto kMaskFault = ElementsAre(FindingKind::LaneMask);

TEST(LaneMasks, ThatNameLanesInAnotherBranch) {
  const std::vector<Finding> faults = faultsOf("  if (t % 32 < 16) v += __shfl_down_sync(0xffffffff, v, 8);");
  ASSERT_THAT(kindsOf(faults), kMaskFault);
  EXPECT_EQ(faults[0].where.line, 4);
  EXPECT_EQ(faults[0].occurrences, 2U * 2U * 16U);
  EXPECT_GT(faults[0].outputCount, 0U);  // of the values that the lanes do not give
  EXPECT_EQ(faults[0].text(),
            "thread (0,0,0) of block (0,0,0) calls __shfl_down_sync at line 4 with the mask 0xffffffff, which names "
            "thread (16,0,0): that one had not left the kernel then and never makes this call, so that a GPU may "
            "wait for it or go on with undefined values; move the call to where all threads of the mask come, or "
            "leave those that do not come out of the mask");
  EXPECT_THAT(kindsIn("  if (t & 1) v = __any_sync(0xffffffff, v > 3);"), kMaskFault);
  EXPECT_THAT(kindsIn("  if (t & 1) v = __ballot_sync(~0u, v > 3);"), kMaskFault);
  EXPECT_THAT(kindsIn("  if (t < 5) __syncwarp();"), kMaskFault);
  EXPECT_THAT(kindsIn("  auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());\n"
                      "  if (t % 8 < 3) tile.sync();"),
              kMaskFault);
}

TEST(LaneMasks, ThatNameLanesThatHaveLeftTheLoop) {
  EXPECT_THAT(kindsIn("  for (int i = t; i < 40; i += 32) v += __shfl_sync(0xffffffff, v, 0);", 32), kMaskFault);
  EXPECT_THAT(kindsIn("  for (int i = t; i < 64; i += 32) v += __shfl_sync(0xffffffff, v, 0);", 32), IsEmpty());
}

TEST(LaneMasks, MayNameLanesThatHaveLeftTheKernelOrNeverWere) {
  EXPECT_THAT(kindsIn("  if (t >= n) return;\n  v += __shfl_sync(0xffffffff, v, 0);\n  __syncwarp();", 64, 40),
              IsEmpty());
  EXPECT_THAT(kindsIn("  v += __shfl_sync(0xffffffff, v, 0) + __all_sync(0xffffffff, v);", 40), IsEmpty());
}

TEST(LaneMasks, OfTheLanesThatAreThereAreSound) {
  EXPECT_THAT(kindsIn("  if (t % 32 < 16) v += __shfl_down_sync(0x0000ffff, v, 8, 16);"), IsEmpty());
  EXPECT_THAT(kindsIn("  unsigned here = __ballot_sync(0xffffffff, t % 3 == 0);\n"
                      "  if (t % 3 == 0) v += __popc(__ballot_sync(here, v > 5));"),
              IsEmpty());
  EXPECT_THAT(kindsIn("  if (t % 3 == 0) { unsigned here = __activemask(); __syncwarp(here); }"), IsEmpty());
  EXPECT_THAT(kindsIn("  if (t % 5) v = cooperative_groups::coalesced_threads().any(v > 5);"), IsEmpty());
  EXPECT_THAT(kindsIn("  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffff, v, step);"),
              IsEmpty());
  EXPECT_THAT(kindsIn("  unsigned half = t % 32 < 16 ? 0x0000ffff : 0xffff0000;\n"
                      "  v += __shfl_sync(half, v, 0, 16);"),
              IsEmpty());
}

TEST(LaneMasks, LanesMayArriveAtAnotherPlace) {
  EXPECT_THAT(kindsIn("  if (t & 1) { v = 1; __syncwarp(); } else { __syncwarp(); v = 2; }"), IsEmpty());
  EXPECT_THAT(kindsIn("  if (t & 1) __syncwarp();\n  else __syncwarp(0x55555555);"), kMaskFault);
}

TEST(LaneMasks, MustNameTheCaller) {
  const std::vector<Finding> faults = faultsOf("  v = __any_sync(0x0000ffff, v > 3);", 32);
  ASSERT_THAT(kindsOf(faults), kMaskFault);
  EXPECT_EQ(faults[0].message,
            "thread (16,0,0) of block (0,0,0) calls __any_sync at line 4 with the mask 0x0000ffff, which does not name "
            "it: a thread must be in its own mask");
}

}  // namespace
}  // namespace haloscope::test
