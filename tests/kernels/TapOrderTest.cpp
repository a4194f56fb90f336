#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "opening/OpenedFile.h"

/// Kernels with coefficients in an arbitrary order, which is found by running them.
namespace haloscope::experiment {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Taps = std::vector<std::array<int, 3>>;

opening::ProposedKernel opened(const std::string& text) {
  const opening::OpenedFile file = opening::openText("student.cu", text);
  EXPECT_EQ(file.kernels.size(), 1U) << (file.diagnostics.empty() ? "" : file.diagnostics[0].message);
  return file.kernels.empty() ? opening::ProposedKernel{} : file.kernels[0];
}

std::string sweep(const std::string& parameters, const std::string& sum,
                  const std::string& guard = "i > 0 && i < N - 1 && j > 0 && j < N - 1 && k > 0 && k < N - 1") {
  return "__global__ void sweep(" + parameters + R"() {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = blockIdx.z * blockDim.z + threadIdx.z;
  if ()" +
         guard + ") {\n    out[(i * N + j) * N + k] = " + sum + ";\n  }\n}\n";
}

const char* const kAnyOrder =
    "c[3] * in[(i * N + j) * N + k] + c[0] * in[((i - 1) * N + j) * N + k] + c[6] * in[((i + 1) * N + j) * N + k] + "
    "c[1] * in[(i * N + j - 1) * N + k] + c[5] * in[(i * N + j + 1) * N + k] + c[2] * in[(i * N + j) * N + k - 1] + "
    "c[4] * in[(i * N + j) * N + k + 1]";
const Taps kAnyOrderTaps{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};

TEST(TapOrder, OfSevenCoefficientsBehindAPointer) {
  for (const char* coefficients : {"const float* c", "float c[7]", "const float* __restrict__ c"}) {
    SCOPED_TRACE(coefficients);
    const opening::ProposedKernel kernel =
        opened(sweep("const float* in, float* out, " + std::string(coefficients) + ", int N", kAnyOrder));
    ASSERT_TRUE(kernel.file.computes);
    EXPECT_EQ(kernel.file.computes->taps, kAnyOrderTaps);
    EXPECT_EQ(kernel.file.computes->weights, "c");
    EXPECT_EQ(kernel.file.computes->border, Computes::Border::Keeps);
    EXPECT_THAT(kernel.assumptions,
                Contains(HasSubstr(
                    "so a mistake in the order itself is not found: c[0] at i-1, c[1] at j-1, c[2] at k-1, c[3] at "
                    "the centre, c[4] at k+1")));
    const checking::CheckReport report = checking::check(kernel.file, {});
    EXPECT_EQ(report.evidence.matches(), true);
    EXPECT_TRUE(report.findings.empty());
  }
}

TEST(TapOrder, OfAConstantArray) {
  const opening::ProposedKernel kernel =
      opened("__constant__ float c[7];\n" + sweep("const float* in, float* out, int N", kAnyOrder));
  ASSERT_TRUE(kernel.file.computes);
  EXPECT_EQ(kernel.file.computes->taps, kAnyOrderTaps);
}

TEST(TapOrder, OfFivePointsInTwoDimensions) {
  const opening::ProposedKernel kernel =
      opened(R"(__global__ void relax(const float* in, float* out, const float* w, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) { return; }
  float sum = w[0] * in[row * width + col];
  if (row > 0) { sum += w[1] * in[(row - 1) * width + col]; }
  if (row < height - 1) { sum += w[2] * in[(row + 1) * width + col]; }
  if (col > 0) { sum += w[3] * in[row * width + col - 1]; }
  if (col < width - 1) { sum += w[4] * in[row * width + col + 1]; }
  out[row * width + col] = sum;
})");
  ASSERT_TRUE(kernel.file.computes);
  EXPECT_EQ(kernel.file.computes->taps, (Taps{{0, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}));
  EXPECT_EQ(kernel.file.computes->border, Computes::Border::Zero);
  EXPECT_THAT(kernel.assumptions, Contains(HasSubstr("5-point stencil")));
  EXPECT_EQ(checking::check(kernel.file, {}).evidence.matches(), true);
}

TEST(TapOrder, IsKnownOfAKernelWithAFault) {
  // The last plane of points is left out.
  const opening::ProposedKernel kernel =
      opened(sweep("const float* in, float* out, const float* c, int N", kAnyOrder,
                   "i > 0 && i < N - 2 && j > 0 && j < N - 1 && k > 0 && k < N - 1"));
  ASSERT_TRUE(kernel.file.computes);
  EXPECT_EQ(kernel.file.computes->taps, kAnyOrderTaps);
  const checking::CheckReport report = checking::check(kernel.file, {});
  EXPECT_EQ(report.evidence.matches(), false);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].kind, faults::FindingKind::UnwrittenOutput);
  EXPECT_THAT(report.findings[0].text(), HasSubstr("with <= instead of < at line 5 the result is right"));
}

TEST(TapOrder, AKernelThatReachesBeyondArraysOfUnknownExtentHasACondition) {
  const opening::ProposedKernel kernel = opened(sweep("const float* in, float* out, const float* c, int N", kAnyOrder,
                                                      "i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N"));
  const checking::CheckReport report = checking::check(kernel.file, {});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("This is no fault if in points to an array that has it.")));
}

TEST(TapOrder, IsUnknownOfWhatIsNoSuchSum) {
  const std::string rest = " + c[1] * in[(i * N + j) * N + k - 1] + c[2] * in[(i * N + j) * N + k + 1]";
  const std::string parameters = "const float* in, float* out, const float* c, int N";
  const std::string centre = "in[(i * N + j) * N + k]";
  for (const std::string& sum : {"c[0] * " + centre + rest,  // neither a star nor a box in three dimensions
                                 std::string(kAnyOrder) + " + c[0] * " + centre,         // two taps of one coefficient
                                 std::string(kAnyOrder) + " + " + centre,                // a term without a coefficient
                                 std::string(kAnyOrder) + " + c[0] * c[1] * " + centre,  // no sum of products
                                 "2.0f * (" + std::string(kAnyOrder) + ")",              // a factor
                                 "(" + std::string(kAnyOrder) + ") > 0.0f ? 1.0f : 0.0f"}) {
    const opening::ProposedKernel kernel = opened(sweep(parameters, sum));
    EXPECT_FALSE(kernel.file.computes) << sum;
    EXPECT_TRUE(checking::check(kernel.file, {}).findings.empty()) << sum;
  }
}

TEST(TapOrder, IsUnknownWhereTheBorderFollowsARuleOfItsOwn) {
  const opening::ProposedKernel kernel =
      opened(R"(__global__ void ring(const float* in, float* out, const float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = c[0] * in[i] + c[1] * in[(i + n - 1) % n] + c[2] * in[(i + 1) % n]; }
})");
  // Two border points of a thousand: both wrap around.
  EXPECT_FALSE(kernel.file.computes);
}

}  // namespace
}  // namespace haloscope::experiment
