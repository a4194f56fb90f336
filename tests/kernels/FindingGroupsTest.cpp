#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "FaultSupport.h"

/// One mistake is one finding, wherever it shows; two mistakes are two.
namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;

TEST(FindingGroups, AMissingBarrierIsOneRaceWithItsReaders) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[34];
  int x = threadIdx.x;
  if (x < 2) { tile[x * 33] = 0.0f; }
  tile[x + 1] = in[x];
  float sum = tile[x];
  sum += tile[x + 1];
  sum += tile[x + 2];
  out[x] = sum;
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::RaceShared);
  EXPECT_EQ(found[0].where.line, 4) << found[0].message;
  EXPECT_EQ(found[0].other.line, 8) << "tile[0] is written by thread 0, which alone reads it: " << found[0].message;
  ASSERT_EQ(found[0].also.size(), 2U);
  EXPECT_EQ(found[0].also[0].where.line, 5);
  EXPECT_EQ(found[0].also[0].other.line, 6);
  EXPECT_EQ(found[0].also[1].other.line, 8);
  EXPECT_EQ(found[0].outputCount, 32U);
}

TEST(FindingGroups, TwoMissingBarriersAreTwoRaces) {
  const std::vector<Finding> found = SmallLaunch(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ float sums[32];
  int x = threadIdx.x;
  tile[x] = in[x];
  float turned = tile[31 - x];
  __syncthreads();
  sums[x] = turned;
  out[x] = sums[31 - x];
})",
                                                 {1, 1, 1}, {32, 1, 1}, 32)
                                         .faults({"out"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].where.line, 5);
  EXPECT_EQ(found[1].where.line, 8);
}

TEST(FindingGroups, OfTwoWritersAndAReaderTheReaderIsReported) {
  const std::vector<Finding> found = SmallLaunch(R"(__global__ void f(float* out) {
  __shared__ float last;
  last = threadIdx.x;
  out[threadIdx.x] = last;
})",
                                                 {1, 1, 1}, {32, 1, 1}, 32)
                                         .faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].other.line, 4);
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_EQ(found[0].also[0].other.line, 3);
}

TEST(FindingGroups, WhatOneGuardWouldCatchIsOneFinding) {
  const std::string body = R"({
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = in[i - 1];
  float right = in[i + 1];
  float sum = left + right;
  BETWEEN sum += in[i + 2];
  out[i] = sum;
})";
  const auto faults = [&](const std::string& between) {
    std::string text = "__global__ void f(const float* in, float* out) " + body;
    text.replace(text.find("BETWEEN"), 7, between);
    return SmallLaunch(text, {4, 1, 1}, {32, 1, 1}, 128).faults({"out"});
  };
  const std::vector<Finding> straight = faults("");
  ASSERT_EQ(straight.size(), 1U);
  EXPECT_EQ(straight[0].also.size(), 2U);
  EXPECT_EQ(straight[0].occurrences, 4U);
  EXPECT_EQ(straight[0].outputCount, 3U);
  const std::vector<Finding> guarded = faults("if (i > 3)");
  ASSERT_EQ(guarded.size(), 2U) << "a place with a guard of its own is another mistake";
  EXPECT_TRUE(guarded[1].also.empty());
}

TEST(FindingGroups, BranchesInsideAnExpressionDoNotPartIt) {
  const std::vector<Finding> found = SmallLaunch(R"(__global__ void f(const float* in, float* out) {
  int i = threadIdx.x;
  out[i] = (i < 40 && in[i - 1] > 0.0f ? in[i + 2] : 0.0f) + in[i + 1];
})",
                                                 {1, 1, 1}, {32, 1, 1}, 32)
                                         .faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
}

TEST(FindingGroups, ReadAndWrittenArraysStayApart) {
  const std::vector<Finding> found = SmallLaunch(R"(__global__ void f(const float* in, float* out) {
  out[threadIdx.x + 1] = in[threadIdx.x + 1];
})",
                                                 {1, 1, 1}, {32, 1, 1}, 32)
                                         .faults({"out"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].message, ::testing::StartsWith("out[32]"));
  EXPECT_THAT(found[1].message, ::testing::StartsWith("in[32]"));
}

TEST(FindingGroups, TwoVariablesWithoutAValueAreTwoFindings) {
  const std::vector<Finding> found = SmallLaunch(R"(__global__ void f(float* out) {
  float a;
  float b;
  if (threadIdx.x > 3) { a = b = 0.0f; }
  out[threadIdx.x] = a + b;
})",
                                                 {1, 1, 1}, {32, 1, 1}, 32)
                                         .faults({"out"});
  EXPECT_EQ(found.size(), 2U);
}

}  // namespace
}  // namespace haloscope::test
