#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "FaultSupport.h"

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;

std::string shift(const std::string& between) {
  return "__global__ void shift(const float* in, float* out) {\n"
         "  __shared__ float in_s[4][16];\n"
         "  int x = threadIdx.x;\n"
         "  int y = threadIdx.y;\n"
         "  in_s[y][x] = in[y * 16 + x];\n" +
         between +
         "  if (x > 0) { out[y * 16 + x] = in_s[y][x - 1]; }\n"
         "}\n";
}

TEST(Races, ABarrierSeparatesWriterAndReader) {
  const SmallLaunch kernel(shift("__syncthreads();\n"), {1, 1, 1}, {16, 4, 1}, 64);
  EXPECT_TRUE(kernel.faults().empty());
}

TEST(Races, WithoutABarrierANeighbourIsReadTooEarly) {
  const SmallLaunch kernel(shift("\n"), {3, 1, 1}, {16, 4, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::RaceShared);
  EXPECT_EQ(found[0].message,
            "in_s[0][0] is written by thread (0,0,0) at line 5 and read by thread (1,0,0) at line 7 with no barrier "
            "between");
  EXPECT_EQ(found[0].where.line, 5);
  EXPECT_EQ(found[0].other.line, 7);
  EXPECT_EQ(found[0].occurrences, 3U * 4 * 15);
  EXPECT_EQ(found[0].interval, 0U);
  ASSERT_EQ(found[0].threads.size(), 2U);
  EXPECT_EQ(found[0].threads[1].thread, (Dim3{1, 0, 0}));
}

TEST(Races, LanesThatRunInStepAreNotOrderedByIt) {
  const SmallLaunch kernel(shift("\n"), {1, 1, 1}, {16, 1, 1}, 16);
  EXPECT_EQ(kernel.faults().size(), 1U);
}

TEST(Races, TheBarrierOfTheNextRoundOfALoopIsMissed) {
  const std::string text = R"(__global__ void rounds(const float* in, float* out) {
  __shared__ float tile[32];
  float sum = 0.0f;
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = in[round];
    __syncthreads();
    sum += tile[31 - threadIdx.x];
    BARRIER
  }
  out[threadIdx.x] = sum;
})";
  std::string faulty = text;
  faulty.replace(faulty.find("BARRIER"), 7, "");
  std::string right = text;
  right.replace(right.find("BARRIER"), 7, "__syncthreads();");
  EXPECT_TRUE(SmallLaunch(right, {1, 1, 1}, {32, 1, 1}, 32).faults().empty());
  const std::vector<Finding> found = SmallLaunch(faulty, {1, 1, 1}, {32, 1, 1}, 32).faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].interval, 1U);
  EXPECT_EQ(found[0].where.line, 5);
  EXPECT_EQ(found[0].other.line, 7);
  EXPECT_EQ(found[0].occurrences, 2U * 32);
  EXPECT_NE(found[0].message.find("at line 7 and, in the next turn of the loop, written by"), std::string::npos)
      << found[0].message;
}

TEST(Races, DifferentValuesForOneElement) {
  const SmallLaunch different("__global__ void f(float* out) { out[threadIdx.x / 2] = threadIdx.x; }", {1, 1, 1},
                              {32, 1, 1}, 32);
  const std::vector<Finding> found = different.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::RaceGlobal);
  EXPECT_EQ(found[0].message,
            "out[0] is written by thread (0,0,0) at line 1 and by thread (1,0,0) at line 1 with no barrier between");
  const SmallLaunch same("__global__ void f(float* out) { out[0] = 5; }", {2, 1, 1}, {64, 1, 1}, 1);
  EXPECT_TRUE(same.faults().empty());
}

/// A large array is watched part by part: what is not a race in the first part must not hide one in another.
TEST(Races, AreFoundInEveryPartOfALargeArray) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  out[0] = 5;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 20000) { out[i / 2 + 20000] = i; }
})",
                           {800, 1, 1}, {32, 1, 1}, 40000);
  const auto found = [&](std::int64_t shadowBytes) {
    Launch launch = kernel.launch;
    faults::FaultOptions options;
    options.execute.workers = 2;
    options.shadowBytes = shadowBytes;
    return faults::findFaults(kernel.program, launch, options).findings;
  };
  const std::vector<Finding> whole = found(std::int64_t{1} << 30);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].kind, FindingKind::RaceGlobal);
  EXPECT_EQ(whole[0].index, 30000);
  EXPECT_EQ(whole[0].occurrences, 2800U);
  const std::vector<Finding> parts = found(48 * 2 * 1000);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].message, whole[0].message);
  EXPECT_EQ(parts[0].occurrences, whole[0].occurrences);
  EXPECT_EQ(parts[0].reached.size(), whole[0].reached.size());
}

TEST(Races, BlocksAreNeverOrdered) {
  // Each block updates its own elements and reads one of the next block.
  const SmallLaunch kernel(R"(__global__ void f(float* a) {
  int i = blockIdx.x * 32 + threadIdx.x;
  a[i] = 2.0f;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x < 3) { a[i] = a[i + 32]; }
})",
                           {4, 1, 1}, {32, 1, 1}, 128);
  for (const unsigned workers : {1U, 2U, 4U}) {
    const std::vector<Finding> found = kernel.faults({}, workers);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::RaceGlobal);
    EXPECT_EQ(found[0].message,
              "a[32] is written by thread (0,0,0) of block (1,0,0) at line 3 and read by thread (0,0,0) of block "
              "(0,0,0) at line 5; the order of the blocks is undefined");
    EXPECT_EQ(found[0].occurrences, 3U + 2U);
    ASSERT_EQ(found[0].also.size(), 1U);
    EXPECT_EQ(found[0].also[0].where.line, 5);
    EXPECT_EQ(found[0].also[0].other.line, 5);
  }
}

TEST(Races, ABarrierOrdersThreadsOfOneBlockInGlobalMemory) {
  const char* const text = R"(__global__ void f(float* a, float* out) {
  a[threadIdx.x] = 2.0f;
  __syncthreads();
  out[threadIdx.x] = a[63 - threadIdx.x];
})";
  EXPECT_TRUE(SmallLaunch(text, {1, 1, 1}, {64, 1, 1}, 64).faults().empty());
}

TEST(Races, AtomicsRaceWithPlainAccessesOnly) {
  const SmallLaunch atomics("__global__ void f(int* n) { atomicAdd(&n[0], 1); }", {2, 1, 1}, {64, 1, 1}, 1);
  EXPECT_TRUE(atomics.faults().empty());
  const SmallLaunch mixed(R"(__global__ void f(int* n, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) { count = 0; }
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
})",
                          {1, 1, 1}, {64, 1, 1}, 64);
  const std::vector<Finding> found = mixed.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.line, 3);
  EXPECT_EQ(found[0].other.line, 4);
  EXPECT_THAT(found[0].message, ::testing::StartsWith("count is written by thread (0,0,0)"));
}

}  // namespace
}  // namespace haloscope::test
