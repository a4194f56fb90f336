#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "FaultSupport.h"

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::ElementsAre;

TEST(Initialisation, AHaloThatIsNeverLoaded) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[34];
  int x = threadIdx.x;
  int i = blockIdx.x * 32 + x;
  tile[x + 1] = in[i];
  if (x == 0 && i > 0) { tile[0] = in[i - 1]; }
  __syncthreads();
  out[i] = tile[x] + tile[x + 2];
})",
                           {2, 1, 1}, {32, 1, 1}, 64);
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
  EXPECT_EQ(found[0].text(),
            "tile[0] is read by thread (0,0,0) of block (0,0,0) at line 8, but nothing was written there before; "
            "out[0] is computed from it; let a thread of the block write it first, with a barrier between");
  EXPECT_THAT(indices(found[0]), ElementsAre(0, 31, 63));
  EXPECT_EQ(found[0].outputCount, 3U);
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_THAT(found[0].also[0].message, ::testing::StartsWith("tile[33] is read by thread (31,0,0) of block (0,0,0)"));
}

TEST(Initialisation, WhatLeadsNowhereIsNoFault) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[34];
  int x = threadIdx.x;
  tile[x + 1] = in[x];
  __syncthreads();
  float left = tile[x];
  float right;
  bool inside = x > 0 && x < 20;
  if (x < 20) { right = tile[x + 1]; }
  float copied = right;
  out[x] = inside ? left : 1.0f;
  if (inside && copied > 0.0f) { out[x] = copied; }
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  for (const Finding& finding : kernel.faults({"out"})) { ADD_FAILURE() << finding.message; }
}

TEST(Initialisation, AVariableWithoutAValueOnOnePath) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  float sum;
  if (threadIdx.x != 5) { sum = 0.0f; }
  sum += in[threadIdx.x];
  out[threadIdx.x] = sum;
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text(),
            "sum is read by thread (5,0,0) of block (0,0,0) at line 4 before it has a value; out[5] is computed from "
            "it; give it a value where it is declared");
  EXPECT_EQ(found[0].occurrences, 1U);
}

TEST(Initialisation, ConditionsAndAddressesCountAsUses) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  int list[4];
  list[0] = 1;
  int n;
  if (list[threadIdx.x % 2] > 0) { n = 1; }
  out[n] = in[threadIdx.x];
})",
                           {1, 1, 1}, {2, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[0].text(),
            "list[1] is read by thread (1,0,0) of block (0,0,0) at line 5, but nothing was written there before; the "
            "condition at line 5 depends on it; write it first");
}

TEST(Initialisation, AnOutputIsEmptyUntilTheBlockWritesIt) {
  const char* const text = R"(__global__ void f(float* out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] += 1.0f;
})";
  const SmallLaunch kernel(text, {2, 1, 1}, {32, 1, 1}, 64);
  EXPECT_TRUE(kernel.faults().empty());
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].outputCount, 64U);
  EXPECT_EQ(found[0].occurrences, 64U);
}

}  // namespace
}  // namespace haloscope::test
