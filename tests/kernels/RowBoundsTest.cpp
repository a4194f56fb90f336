#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "FaultSupport.h"

/// Subscripts outside their row but inside their array.
namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::StartsWith;

std::vector<Finding> faults(const std::string& body) {
  return SmallLaunch("__global__ void f(const float* in, float* out) {\n  int x = threadIdx.x;\n" + body + "\n}",
                     {2, 1, 1}, {8, 1, 1}, 64)
      .faults({"out"});
}

const std::string kFilled =
    "  __shared__ float tile[4][8];\n"
    "  for (int row = 0; row < 4; ++row) { tile[row][x] = in[x]; }\n"
    "  __syncthreads();\n";

TEST(RowBounds, NamesTheRowThatIsReadInstead) {
  const std::vector<Finding> found = faults(kFilled + "  out[x] = tile[2][x + 1];");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(found[0].message,
            "tile[2][8] is read by thread (7,0,0) of block (0,0,0): a row has 8 elements, 0 to 7, so this is "
            "tile[3][0], in another row");
  EXPECT_EQ(found[0].where.line, 6);
  EXPECT_EQ(found[0].occurrences, 2U);
  EXPECT_EQ(found[0].index, 24);
}

TEST(RowBounds, OfOneBlockAmongMany) {
  const std::vector<Finding> found =
      SmallLaunch("__global__ void f(const float* in, float* out) {\n  int x = threadIdx.x;\n" + kFilled +
                      "  out[x] = tile[2][blockIdx.x == 7 ? x + 1 : x];\n}",
                  {40, 1, 1}, {8, 1, 1}, 64)
          .faults();
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::any_of(found, [](const Finding& finding) {
    return finding.kind == FindingKind::OutOfBounds &&
           finding.message.starts_with("tile[2][8] is read by thread (7,0,0) of block (7,0,0)");
  }));
}

TEST(RowBounds, OfConstantSubscriptsAndOfLocalArrays) {
  const std::vector<Finding> constant = faults(kFilled + "  out[x] = tile[1][9];");
  ASSERT_EQ(constant.size(), 1U);
  EXPECT_THAT(constant[0].message, StartsWith("tile[1][9] is read by thread (0,0,0)"));
  const std::vector<Finding> local =
      faults("  float a[2][3];\n  for (int i = 0; i < 6; ++i) { a[0][i] = in[i]; }\n  out[x] = a[1][2];");
  ASSERT_EQ(local.size(), 1U);
  EXPECT_THAT(local[0].message, StartsWith("a[0][3] is written by thread (0,0,0) of block (0,0,0): a row has 3"));
}

TEST(RowBounds, OfTheMiddleOfThreeAndBelowZero) {
  const std::vector<Finding> found = faults(
      "  __shared__ float cube[3][4][8];\n"
      "  for (int i = 0; i < 12; ++i) { (&cube[0][0][0])[i * 8 + x] = in[x]; }\n"
      "  __syncthreads();\n"
      "  out[x] = cube[1][4][x] + cube[2][1][x - 1];");
  ASSERT_EQ(found.size(), 1U) << "both in one statement";
  EXPECT_THAT(found[0].message, StartsWith("cube[1][4][0] is read by thread (0,0,0)"));
  EXPECT_THAT(found[0].message, ::testing::HasSubstr("a row has 4 elements, 0 to 3, so this is cube[2][0][0]"));
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_THAT(found[0].also[0].message, StartsWith("cube[2][1][-1] is read by thread (0,0,0)"));
}

TEST(RowBounds, BeyondTheArrayIsReportedOnce) {
  const std::vector<Finding> found = faults(kFilled + "  out[x] = tile[x % 4][x + 1];");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "tile[32] is read by thread (7,0,0) of block (0,0,0): tile has 32 elements, 0 to 31");
}

TEST(RowBounds, WholeArraysMayBeCountedThrough) {
  for (const char* body : {
           "  float* all = &tile[0][0];\n  out[x] = all[x + 20];",
           "  out[x] = (&tile[0][0])[x + 20];",
           "  out[x] = *(&tile[1][0] + x + 4);",
           "  float* row = tile[1];\n  out[x] = row[x + 4];",
           "  float* end = &tile[1][8];\n  float sum = 0.0f;\n"
           "  for (float* at = tile[1]; at != end; ++at) { sum += *at; }\n  out[x] = sum;",
           "  out[x] = ((float*)tile)[x + 20];",
           "  out[x] = x < 7 ? tile[2][x + 1] : 0.0f;",
           "  float(*square)[8] = tile;\n  out[x] = square[3][x];",
           "  if (x + 1 < 8 && tile[0][x + 1] > 0.0f) { out[x] = 1.0f; } else { out[x] = 0.0f; }",
       }) {
    for (const Finding& finding : faults(kFilled + body)) { ADD_FAILURE() << body << ": " << finding.message; }
  }
}

}  // namespace
}  // namespace haloscope::test
