#include "checking/Uniformity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checking/Check.h"
#include "checking/Siblings.h"
#include "opening/OpenedFile.h"

// What is said of kernels without a reference: by themselves, and among others with the same parameters.

namespace haloscope::checking {
namespace {

using faults::Finding;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

struct Checked {
  std::vector<opening::ProposedKernel> kernels;
  std::vector<CheckReport> reports;
};

Checked checked(const std::string& text) {
  Checked all{.kernels = opening::openText("own.cu", text).kernels, .reports = {}};
  for (const opening::ProposedKernel& one : all.kernels) {
    all.reports.push_back(check(one.file, one.file.defaults()));
  }
  return all;
}

CheckReport alone(const std::string& text, const Bindings& sizes = {}) {
  const KernelFile file = opening::openText("own.cu", text).kernels.at(0).file;
  const Bindings bindings = file.bind(sizes);
  CheckReport report = check(file, bindings);
  checkUniformity(file, bindings, report);
  return report;
}

/// A tile with a cell on each side; `right` is what the cell on the right gets.
std::string tiled(const std::string& right) {
  return "#define B 64\n__global__ void smooth(const float* in, float* out, int n) {\n"
         "  __shared__ float t[B + 2];\n  int i = blockIdx.x * B + threadIdx.x, l = threadIdx.x + 1;\n"
         "  t[l] = i < n ? in[i] : 0;\n  if (threadIdx.x == 0) t[0] = i > 0 ? in[i - 1] : 0;\n"
         "  if (threadIdx.x == B - 1) t[B + 1] = " +
         right +
         ";\n  __syncthreads();\n  if (i > 0 && i < n - 1) out[i] = sqrtf(fabsf(t[l - 1] + 3 * t[l] - t[l + 1]));\n}\n";
}

TEST(Uniformity, PointsOfASoundTileAreComputedAlike) {
  const CheckReport report = alone(tiled("i + 1 < n ? in[i + 1] : 0"));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_TRUE(report.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
  EXPECT_THAT(report.compared, HasSubstr("moved by one point along x"));
  EXPECT_FALSE(report.evidence.matches().has_value());
}

TEST(Uniformity, AHaloThatIsNotLoadedShows) {
  for (const char* right : {"0", "i < n ? in[i] : 0"}) {
    const CheckReport report = alone(tiled(right));
    EXPECT_THAT(report.findings, ElementsAre(Field(&Finding::message, HasSubstr("not computed alike")))) << right;
    EXPECT_FALSE(report.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
  }
}

TEST(Uniformity, SaysNothingWhereAKernelUsesPositions) {
  const CheckReport ramp = alone(
      "__global__ void ramp(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = i * in[i];\n}\n");
  EXPECT_THAT(ramp.findings, IsEmpty());
  EXPECT_FALSE(ramp.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
  const CheckReport rows = alone(
      "__global__ void rows(const float* in, float* out, int n) {\n  __shared__ float t[128];\n"
      "  int i = blockIdx.x * 128 + threadIdx.x;\n  t[threadIdx.x] = i < n ? in[i] : 0;\n  __syncthreads();\n"
      "  if (i < n) out[i] = i % 100 == 0 ? 0 : 2 * t[threadIdx.x];\n}\n");
  EXPECT_THAT(rows.findings, IsEmpty());
  EXPECT_FALSE(rows.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
}

TEST(Uniformity, SaysWhatWasComparedAndWhatNot) {
  const CheckReport report = alone(
      "__global__ void smooth(const float* in, float* out, int nx, int ny, int nz) {\n"
      "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
      "  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;\n"
      "  for (int z = 0; z < nz; ++z) {\n    int i = (z * ny + y) * nx + x;\n"
      "    out[i] = sqrtf(fabsf(in[i - 1] + in[i + 1] - in[i - nx]));\n  }\n}\n",
      {{"nx", 40}, {"ny", 50}, {"nz", 11}});
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_TRUE(report.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
  EXPECT_THAT(report.compared, HasSubstr("along y and x moves the result by one point too"));
  EXPECT_THAT(report.compared, HasSubstr("of 22000 points"));
  EXPECT_THAT(report.compared, HasSubstr("z has fewer than 12 points and was not tried"));
}

TEST(Uniformity, OfWhatIsNoNumberNothingIsSaid) {
  const CheckReport report = alone(
      "__global__ void roots(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = sqrtf(-1.0f - fabsf(in[i]));\n}\n");
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_FALSE(report.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees));
}

/// A sound tile whose result is changed by `special` at some places.
std::string tiledWith(const std::string& special) {
  return "#define B 64\n__global__ void wave(const float* in, float* out, int n) {\n  __shared__ float t[B + 2];\n"
         "  int i = blockIdx.x * B + threadIdx.x, l = threadIdx.x + 1;\n"
         "  t[l] = i < n ? in[i] : 0;\n  if (threadIdx.x == 0) t[0] = i > 0 ? in[i - 1] : 0;\n"
         "  if (threadIdx.x == B - 1) t[B + 1] = i + 1 < n ? in[i + 1] : 0;\n  __syncthreads();\n"
         "  if (i > 0 && i < n - 1) {\n    float v = sqrtf(fabsf(t[l - 1] + 3 * t[l] - t[l + 1]));\n    " +
         special + "\n    out[i] = v;\n  }\n}\n";
}

TEST(Uniformity, LayersAtTheBorderAndSourcesAreNoMistakes) {
  for (const char* special :
       {"if (i < 100) v *= 0.01f * i; else if (i >= n - 100) v *= 0.01f * (n - 1 - i);", "if (i == n / 2) v += 5;"}) {
    const CheckReport report = alone(tiledWith(special));
    EXPECT_THAT(report.findings, IsEmpty()) << special;
    EXPECT_FALSE(report.evidence.has(verdict::Basis::MovedData, verdict::Outcome::Agrees)) << special;
  }
}

/// Three kernels that take coefficients as integers, which are all 1 where nothing says otherwise.
std::string threeSums(const std::string& third) {
  std::string text;
  for (const auto& [name, sum] : {std::pair<std::string, std::string>{"sum_a", "c0 * in[i - 1] + c1 * in[i + 1]"},
                                  {"sum_b", "c1 * in[i + 1] + c0 * in[i - 1]"},
                                  {"sum_c", third}}) {
    text += "__global__ void " + name +
            "(const float* in, float* out, int n, int c0, int c1) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i > 0 && i < n - 1) out[i] = " +
            sum + ";\n}\n";
  }
  return text;
}

Checked amongEachOther(const std::string& text) {
  Checked all = checked(text);
  std::vector<Sibling> siblings;
  for (std::size_t i = 0; i < all.kernels.size(); ++i) {
    siblings.push_back({&all.kernels[i].file, all.kernels[i].file.defaults(), &all.reports[i]});
  }
  compareSiblings(siblings);
  return all;
}

TEST(Siblings, EqualCoefficientsDoNotHideThatTwoAreExchanged) {
  const Checked all = amongEachOther(threeSums("c1 * in[i - 1] + c0 * in[i + 1]"));
  ASSERT_EQ(all.reports.size(), 3U);
  EXPECT_THAT(all.reports[0].findings, IsEmpty());
  EXPECT_THAT(all.reports[1].findings, IsEmpty());
  EXPECT_THAT(all.reports[2].findings, ElementsAre(Field(&Finding::message, HasSubstr("where the others take"))));
}

TEST(Siblings, ThatComputeTheSameAgree) {
  const Checked all = amongEachOther(threeSums("c0 * in[i - 1] + in[i + 1] * c1"));
  for (const CheckReport& report : all.reports) {
    EXPECT_THAT(report.findings, IsEmpty());
    EXPECT_EQ(report.evidence.of(verdict::Basis::Siblings)->with.size(), 2U);
  }
}

/// Two kernels that compute one filter, and a third with the same parameters, over rows of `w` points.
std::string twoAndAThird(const std::string& filter, const std::string& third) {
  std::string text;
  for (const auto& [name, sum] : {std::pair("first", "0.0f + " + filter), {"second", filter}, {"third", third}}) {
    text += "__global__ void " + std::string(name) +
            "(const float* in, float* out, int w, int h) {\n"
            "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
            "  int i = y * w + x;\n  if (x > 1 && y > 1 && x < w - 2 && y < h - 2) out[i] = " +
            sum + ";\n}\n";
  }
  return text;
}

const char* const kSobelX =
    "in[i - w + 1] - in[i - w - 1] + 2 * in[i + 1] - 2 * in[i - 1] + in[i + w + 1] - in[i + w - 1]";
const char* const kSobelY =
    "in[i + w - 1] - in[i - w - 1] + 2 * in[i + w] - 2 * in[i - w] + in[i + w + 1] - in[i - w + 1]";
const char* const kMean = "0.2f * in[i - w] + 0.2f * in[i - 1] + 0.2f * in[i] + 0.2f * in[i + 1] + 0.2f * in[i + w]";

TEST(Siblings, AnotherFilterIsNoMistake) {
  const std::string mean = kMean;
  const std::vector<std::pair<std::string, std::string>> filters = {
      {kSobelX, kSobelY},
      {mean, "0.1f * in[i - w] + 0.15f * in[i - 1] + 0.5f * in[i] + 0.15f * in[i + 1] + 0.1f * in[i + w]"},
      {mean, mean + " + 0.1f * in[i - 2] + 0.1f * in[i + 2]"},
      {mean + " + 0.1f * in[i - 2 * w] + 0.1f * in[i + 2 * w]", mean}};
  for (const auto& [filter, third] : filters) {
    for (const CheckReport& report : amongEachOther(twoAndAThird(filter, third)).reports) {
      EXPECT_THAT(report.findings, IsEmpty()) << third;
    }
  }
}

TEST(Siblings, AnotherFilterThatIsNoSumIsNoMistake) {
  const std::string cross = "fmaxf(fmaxf(fmaxf(in[i - w], in[i + w]), fmaxf(in[i - 1], in[i + 1])), in[i])";
  const std::string square =
      "fmaxf(" + cross + ", fmaxf(fmaxf(in[i - w - 1], in[i - w + 1]), fmaxf(in[i + w - 1], in[i + w + 1])))";
  for (const CheckReport& report : amongEachOther(twoAndAThird(square, cross)).reports) {
    EXPECT_THAT(report.findings, IsEmpty());
  }
}

TEST(Siblings, ANeighbourMoreOrLessIsAMistake) {
  const std::string mean = kMean;
  for (const std::string& third : {mean + " + 0.2f * in[i + w + 1]", mean.substr(mean.find(" + ") + 3)}) {
    const Checked all = amongEachOther(twoAndAThird(mean, third));
    ASSERT_EQ(all.reports.size(), 3U);
    EXPECT_THAT(all.reports[2].findings, ElementsAre(Field(&Finding::message, HasSubstr("where the others")))) << third;
  }
}

}  // namespace
}  // namespace haloscope::checking
