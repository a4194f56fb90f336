#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "FaultSupport.h"

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::HasSubstr;

TEST(Barriers, AWarpThatSplitsAtABarrier) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  if (threadIdx.x < 7) {
    __syncthreads();
  }
  out[threadIdx.x] = 1.0f;
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::DivergentBarrier);
  EXPECT_EQ(
      found[0].message,
      "thread (0,0,0) of block (0,0,0) waits at the barrier at line 3, which thread (7,0,0) of the same warp does "
      "not reach");
}

TEST(Barriers, WarpsThatMeetAtDifferentBarriers) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1.0f;
})",
                           {2, 1, 1}, {64, 1, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0].message,
      "thread (0,0,0) of block (0,0,0) waits at the barrier at line 3 while thread (32,0,0) waits at a different one "
      "at line 5");
  EXPECT_EQ(found[0].occurrences, 2U);
}

TEST(Barriers, ThreadsThatHaveLeftAreMissed) {
  const SmallLaunch kernel(R"(__global__ void f(float* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) { return; }
  __syncthreads();
  out[i] = 1.0f;
  __syncthreads();
})",
                           {4, 1, 1}, {64, 1, 1}, 256, 150);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);                         // all of block 3 leaves
  EXPECT_EQ(found[0].kind, FindingKind::EarlyReturn);  // no fault: present GPUs go on
  EXPECT_EQ(found[0].where.line, 4);
  EXPECT_EQ(found[0].other.line, 3);
  EXPECT_EQ(found[0].occurrences, 42U);
  EXPECT_EQ(
      found[0].text(),
      "threads (22,0,0) to (63,0,0) of block (2,0,0) have already returned, at line 3, when the others wait at "
      "the barrier at line 4; GPUs of compute capability 7.0 and later do not wait for threads that have left, but "
      "according to the programming guide all threads of the block must reach a barrier, and the work they were to do "
      "before it is left out; put a condition around the work in place of the return");
}

TEST(Barriers, ThreadsThatLeaveOneByOneAreReportedOnce) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  for (int round = 0; round < 9; ++round) {
    if (threadIdx.x % 8 == round) { return; }
    __syncthreads();
  }
  out[0] = 1.0f;
})",
                           {3, 1, 1}, {8, 8, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].occurrences, 3U * 7U * 8U);  // the last eight of a block leave together, and none waits
  EXPECT_THAT(found[0].message,
              ::testing::StartsWith("8 threads, the first of them (0,0,0), of block (0,0,0) have already returned"));
}

TEST(Barriers, AReturnBehindTheBarrierOfALoopIsEarlyToo) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  for (int round = 0; round < 9; ++round) {
    __syncthreads();
    if (threadIdx.x % 8 == round) { return; }
  }
  out[0] = 1.0f;
})",
                           {3, 1, 1}, {8, 8, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::EarlyReturn);
  EXPECT_EQ(found[0].where.line, 3);
  EXPECT_EQ(found[0].other.line, 4);
}

TEST(Barriers, AWarpThatPassesByABarrier) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  if (threadIdx.x / 32 != 2) { __syncthreads(); }
  out[threadIdx.x] = 1.0f;
})",
                           {2, 1, 1}, {96, 1, 1}, 96);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().kind, FindingKind::DivergentBarrier);
  EXPECT_EQ(found.back().message,
            "threads (64,0,0) to (95,0,0) of block (0,0,0) run to the end of the kernel while the others wait at the "
            "barrier at line 2; all threads of a block must reach each barrier equally often: a GPU may hang here "
            "or continue with wrong values");
  EXPECT_EQ(found.back().occurrences, 64U);
}

TEST(Barriers, WarpsThatGoRoundMoreOrLessOften) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  for (int round = 0; round < threadIdx.x / 32 + 1; ++round) {
    __syncthreads();
  }
})",
                           {1, 1, 1}, {96, 1, 1}, 96);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].interval, 1U);
  EXPECT_EQ(found[0].occurrences, 64U);
  EXPECT_THAT(found[0].message, ::testing::StartsWith("threads (0,0,0) to (31,0,0) of block (0,0,0) run to the end"));
}

TEST(Barriers, LateThreadsSayNothingWhereWarpsMetAtDifferentBarriers) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  if (threadIdx.x < 32) { __syncthreads(); }
  __syncthreads();
})",
                           {1, 1, 1}, {64, 1, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("waits at a different one"));
}

TEST(Barriers, AReturnIsAllowedForAWholeBlockAndAfterTheLastBarrier) {
  const SmallLaunch kernel(R"(__global__ void f(float* out, int n) {
  if (blockIdx.x * 64 >= n) { return; }
  for (int round = 0; round < 3; ++round) { __syncthreads(); }
  if (blockIdx.x * 64 + threadIdx.x >= n) { return; }
  out[blockIdx.x * 64 + threadIdx.x] = 1.0f;
})",
                           {4, 1, 1}, {64, 1, 1}, 256, 150);
  EXPECT_TRUE(kernel.faults().empty());
  const SmallLaunch alone(R"(__global__ void f(float* out, int n) {
  if (threadIdx.x >= n) { return; }
  out[threadIdx.x] = 1.0f;
})",
                          {1, 1, 1}, {64, 1, 1}, 64, 40);
  EXPECT_TRUE(alone.faults().empty());
}

TEST(Barriers, AnEndlessLoopIsAFinding) {
  const SmallLaunch kernel("__global__ void f(float* out) { while (true) { out[0] = 1.0f; } }", {1, 1, 1}, {32, 1, 1},
                           1);
  Launch launch = kernel.launch;
  faults::FaultOptions options;
  options.execute.instructionBudget = 10000;
  options.output = kernel.program.findObject("out");
  const faults::FaultReport report = faults::findFaults(kernel.program, launch, options);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].kind, FindingKind::Endless);
}

}  // namespace
}  // namespace haloscope::test
