#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"

// Lanes of a warp, and warps of a block, that wait for one another in loops: they end, since each goes on
// independently.

namespace haloscope::test {
namespace {

using faults::FindingKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void expectSound(const std::string& text, std::uint32_t threads, const std::vector<std::int32_t>& expected) {
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    for (const simt::WarpOrder order :
         {simt::WarpOrder::SideBySide, simt::WarpOrder::InOrder, simt::WarpOrder::Reversed, simt::WarpOrder::Random}) {
      SmallLaunch kernel(text, {1, 1, 1}, {threads, 1, 1}, static_cast<std::int64_t>(expected.size()));
      EXPECT_EQ(outputOf(kernel, {.schedule = schedule, .order = order}), expected) << text;
    }
  }
  SmallLaunch kernel(text, {1, 1, 1}, {threads, 1, 1}, static_cast<std::int64_t>(expected.size()));
  EXPECT_THAT(kindsOf(kernel.faults()), IsEmpty()) << text << kernel.faults().front().message;
}

TEST(SpinLock, WithinAWarpEnds) {
  expectSound(R"(__global__ void k(int* out) {
  while (atomicCAS(&out[1], 0, 1) != 0) {}
  out[0] = out[0] + 1;
  __threadfence();
  atomicExch(&out[1], 0);
})",
              70, {70, 0});
}

TEST(SpinLock, InSharedMemoryEnds) {
  expectSound(R"(__global__ void k(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) { lock = 0; sum = 0; }
  __syncthreads();
  int tries = 0;
  do { ++tries; } while (atomicExch(&lock, 1) == 1);
  sum += threadIdx.x;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
})",
              64, {64 * 63 / 2});
}

TEST(SpinLock, OfTheKindThatTestsAndTriesEnds) {
  expectSound(R"(__global__ void k(int* out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&out[1], 0, 1) == 0) {
      out[0] += 2;
      __threadfence();
      atomicExch(&out[1], 0);
      done = true;
    }
    __nanosleep(20);
  }
})",
              40, {80, 0});
}

TEST(SpinLock, LanesMeetAgainAtABarrierAndAtAShuffle) {
  expectSound(R"(__global__ void k(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) { lock = 0; sum = 0; }
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {}
  int turn = sum++;
  __threadfence_block();
  atomicExch(&lock, 0);
  turn += __shfl_xor_sync(0xffffffff, turn, 1);
  turn += __shfl_xor_sync(0xffffffff, turn, 2);
  turn += __shfl_xor_sync(0xffffffff, turn, 4);
  turn += __shfl_xor_sync(0xffffffff, turn, 8);
  turn += __shfl_xor_sync(0xffffffff, turn, 16);
  __syncthreads();
  out[threadIdx.x] = turn + sum;
})",
              32, std::vector<std::int32_t>(32, 31 * 16 + 32));
}

TEST(SpinLock, ABranchMayWaitForTheOther) {
  expectSound(R"(__global__ void k(int* out) {
  if (threadIdx.x % 2 == 0) {
    while (atomicAdd(&out[1], 0) < 20) {}
    atomicAdd(&out[0], 1);
  } else {
    atomicAdd(&out[1], 1);
  }
})",
              40, {20, 20});
}

TEST(SpinLock, AWarpMayWaitForTheOther) {
  expectSound(R"(__global__ void k(int* out) {
  if (threadIdx.x < 32) {
    while (atomicAdd(&out[1], 0) < 32) {}
    atomicAdd(&out[0], 1);
  } else {
    atomicAdd(&out[1], 1);
  }
})",
              64, {32, 32});
}

TEST(SpinLock, ThatNobodyOpensIsEndless) {
  const auto faults = SmallLaunch(R"(__global__ void k(int* out) {
  while (atomicCAS(&out[1], 0, 1) != 0) {}
  out[0] = 1;
})",
                                  {1, 1, 1}, {32, 1, 1}, 2)
                          .faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::Endless));
  EXPECT_EQ(faults[0].where.line, 2);
  EXPECT_THAT(faults[0].message, HasSubstr("does not end"));
}

TEST(SpinLock, AFlagThatNobodySetsIsEndless) {
  const auto faults = SmallLaunch("__global__ void k(volatile int* out) { while (out[threadIdx.x] == 0) {} }",
                                  {1, 1, 1}, {32, 1, 1}, 32)
                          .faults();
  EXPECT_THAT(kindsOf(faults), ElementsAre(FindingKind::Endless));
}

TEST(SpinLock, WithoutAFenceIsARace) {
  const auto faults = SmallLaunch(R"(__global__ void k(int* out) {
  while (atomicCAS(&out[1], 0, 1) != 0) {}
  out[0] = out[0] + 1;
  atomicExch(&out[1], 0);
})",
                                  {1, 1, 1}, {64, 1, 1}, 2)
                          .faults();
  EXPECT_THAT(kindsOf(faults), ::testing::Contains(FindingKind::RaceGlobal));
}

}  // namespace
}  // namespace haloscope::test
