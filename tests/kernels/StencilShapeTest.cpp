#include "figures/StencilShape.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "opening/OpenedFile.h"

// The shapes of kernels, found from their loads. Expected shapes are derived from the source by hand, independent of
// the header's taps.

namespace haloscope {
namespace {

using figures::ShapeForm;
using figures::ShapePoint;
using figures::StencilShape;
using recording::GridPoint;
using test::catalogue;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace fs = std::filesystem;

StencilShape shapeOf(const KernelFile& file, std::optional<Dim3> block = {}, const Bindings& bindings = {}) {
  experiment::RunOptions options;
  options.countGrid = false;
  return figures::stencilShape(*experiment::run(file, {file.id, bindings, block}, options));
}

StencilShape shapeOfText(const std::string& text) {
  const opening::OpenedFile file = opening::openText("opened.cu", text);
  return shapeOf(file.kernels.at(0).file);
}

StencilShape shapeOfStyle(const std::string& name, const std::string& kernel = {}) {
  const opening::OpenedFile file = opening::openFile(fs::path(HALOSCOPE_TEST_DIR) / "styles" / (name + ".cu"));
  for (const opening::ProposedKernel& one : file.kernels) {
    if (kernel.empty() || one.file.kernel == kernel) { return shapeOf(one.file); }
  }
  throw InputError("no such kernel");
}

/// "(0,0,-1) c[1]".
std::vector<std::string> describe(const StencilShape& shape) {
  std::vector<std::string> all;
  for (const ShapePoint& point : shape.points) {
    const GridPoint& at = point.offset;
    all.push_back(fmt::format("({},{},{}) {}", at.z, at.y, at.x, point.coefficient));
  }
  return all;
}

class SevenPoints : public ::testing::TestWithParam<const char*> {};

TEST_P(SevenPoints, OfTheSweep) {
  const StencilShape shape = shapeOf(catalogue().at(GetParam()));
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "3D 7-point stencil, order 1: 1 grid point on each side");
  EXPECT_EQ(shape.form, ShapeForm::Star);
  EXPECT_EQ(shape.order(), 1);
  // c0 at the centre, c1 and c2 along x, c3 and c4 along y, c5 and c6 along z, as in figure 8.6 of the book.
  EXPECT_THAT(describe(shape), ElementsAre("(-1,0,0) c[5]", "(0,-1,0) c[3]", "(0,0,-1) c[1]", "(0,0,0) c[0]",
                                           "(0,0,1) c[2]", "(0,1,0) c[4]", "(1,0,0) c[6]"));
  EXPECT_TRUE(shape.linear);
  EXPECT_TRUE(shape.complete);
  EXPECT_FALSE(shape.weightsVary);
  EXPECT_FALSE(shape.updated);
  EXPECT_GE(shape.inside, 2U);
}

INSTANTIATE_TEST_SUITE_P(Variants, SevenPoints,
                         ::testing::Values("stencil/basic", "stencil/tiled", "stencil/coarsened",
                                           "stencil/register_tiled"));

TEST(StencilShape, IsTheSameFromABlockInTheCorner) {
  const StencilShape shape = shapeOf(catalogue().at("stencil/tiled"), Dim3{0, 0, 0});
  EXPECT_EQ(shape.points.size(), 7U);
  const StencilShape filter = shapeOf(catalogue().at("convolution/tiled_input_block"), Dim3{0, 0, 0});
  EXPECT_EQ(filter.points.size(), 9U);
}

class Filters : public ::testing::TestWithParam<const char*> {};

TEST_P(Filters, AreBoxesWithTheirRadius) {
  const StencilShape shape = shapeOf(catalogue().at(GetParam()), {}, {{"FILTER_RADIUS", 2}});
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "2D 25-point convolution (a 5 × 5 filter of radius 2): 2 grid points on each side");
  EXPECT_EQ(shape.form, ShapeForm::Box);
  ASSERT_EQ(shape.points.size(), 25U);
  EXPECT_EQ(shape.points[0].offset, (GridPoint{0, -2, -2}));
  EXPECT_EQ(shape.points[7].offset, (GridPoint{0, -1, 0}));
  EXPECT_THAT(shape.points[7].coefficient, ::testing::EndsWith("[1][2]"));
}

INSTANTIATE_TEST_SUITE_P(Variants, Filters,
                         ::testing::Values("convolution/basic", "convolution/constant", "convolution/tiled_input_block",
                                           "convolution/tiled_output_block", "convolution/cached_halo"));

TEST(StencilShape, ABoxWhoseBorderKeepsItsValueIsAStencil) {
  const StencilShape shape = shapeOf(catalogue().at("stencil/3d_27_basic"));
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "3D 27-point box stencil, order 1: 1 grid point on each side");
  const StencilShape filter = shapeOf(catalogue().at("convolution/3d_tiled"), {}, {{"FILTER_RADIUS", 1}});
  EXPECT_THAT(title(filter), StartsWith("3D 27-point convolution (a 3 × 3 × 3 filter of radius 1)"));
}

TEST(StencilShape, OfAnOpenedFilesRowNamesItsMask) {
  const StencilShape shape = shapeOfStyle("one_dimensional");
  EXPECT_EQ(title(shape), "1D 5-point convolution: 2 grid points on each side");
  EXPECT_EQ(shape.form, ShapeForm::Row);
  EXPECT_EQ(shape.filter, "M");
  EXPECT_THAT(describe(shape),
              ElementsAre("(0,0,-2) M[0]", "(0,0,-1) M[1]", "(0,0,0) M[2]", "(0,0,1) M[3]", "(0,0,2) M[4]"));
}

TEST(StencilShape, OfTheWaveEquationKeepsTheOtherArrayApart) {
  const StencilShape shape = shapeOfStyle("wave");
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(shape.points.size(), 5U);
  EXPECT_EQ(shape.form, ShapeForm::Star);
  ASSERT_EQ(shape.others.size(), 1U);
  EXPECT_EQ(shape.others[0].array, "before");
  EXPECT_EQ(shape.others[0].weight, -1);
  EXPECT_TRUE(shape.linear);
  // 2 - 4·dt² at the centre, dt² next to it, for any value of dt.
  const double side = shape.at({0, 0, 1})->weight;
  EXPECT_NEAR(shape.at({0, 0, 0})->weight, 2 - 4 * side, 1e-6);
}

TEST(StencilShape, OfACentralDifferenceHasNoCentre) {
  const StencilShape shape = shapeOfText(R"(
__global__ void derivative(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = (in[i + 1] - in[i - 1]) / (2.0f * 0.25f);
})");
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "1D 2-point stencil, order 1: 1 grid point on each side");
  ASSERT_EQ(shape.points.size(), 2U);
  EXPECT_EQ(shape.points[0].weight, -2);
  EXPECT_EQ(shape.points[1].weight, 2);
  EXPECT_EQ(shape.at({0, 0, 0}), nullptr);
}

TEST(StencilShape, OfAOneSidedDifferenceGivesBothSides) {
  const StencilShape shape = shapeOfText(R"(
__global__ void upwind(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n) out[i] = 1.5f * in[i] - 2.0f * in[i - 1] + 0.5f * in[i - 2];
})");
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "1D 3-point stencil, order 2: grid points: 2 before and 0 after along x");
  EXPECT_THAT(describe(shape), ElementsAre("(0,0,-2) 0.5", "(0,0,-1) -2", "(0,0,0) 1.5"));
}

constexpr const char* kInBrackets = R"(
__constant__ float c[2];
__global__ void laplace(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int p = y * nx + x;
  float sides = in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx];
  float corners = in[p - nx - 1] + in[p - nx + 1] + in[p + nx - 1] + in[p + nx + 1];
  out[p] = c[0] * (4 * sides + corners - 20 * in[p]);
})";

TEST(StencilShape, MultipliesOutBrackets) {
  const StencilShape shape = shapeOfText(kInBrackets);
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_EQ(title(shape), "2D 9-point stencil, order 1: 1 grid point on each side");
  EXPECT_EQ(shape.form, ShapeForm::Box);
  EXPECT_THAT(describe(shape), ElementsAre("(0,-1,-1) c[0]", "(0,-1,0) c[0] · 4", "(0,-1,1) c[0]", "(0,0,-1) c[0] · 4",
                                           "(0,0,0) -c[0] · 20", "(0,0,1) c[0] · 4", "(0,1,-1) c[0]",
                                           "(0,1,0) c[0] · 4", "(0,1,1) c[0]"));
}

TEST(StencilShape, IsRefusedWhereOutputsNeedDifferentPoints) {
  const StencilShape transposed = shapeOfText(R"(
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < nx) out[y * nx + x] = in[x * nx + y];
})");
  EXPECT_THAT(transposed.reason, StartsWith("The accesses of this kernel do not form a stencil: out["));
  EXPECT_THAT(transposed.points, IsEmpty());
  EXPECT_EQ(title(transposed), "No stencil");

  const StencilShape reversed = shapeOfText(R"(
__global__ void reverse(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
})");
  EXPECT_THAT(reversed.reason, AllOf(HasSubstr("uses in["), HasSubstr("but out[")));
}

TEST(StencilShape, IsRefusedWithoutAnInput) {
  const StencilShape shape = shapeOfText(R"(
__global__ void fill(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f;
})");
  EXPECT_EQ(shape.reason,
            "The accesses of this kernel do not form a stencil: out is computed without reading any array.");
}

TEST(StencilShape, AGridOfBorderPointsAloneIsTooSmallAndNoProof) {
  const StencilShape shape = shapeOf(catalogue().at("stencil/finite_difference_7"), {}, {{"N", 2}});
  EXPECT_EQ(shape.reason, "At N = 2 no point is computed: the grid is too small.");
  EXPECT_FALSE(shape.computed);
  EXPECT_EQ(title(shape), "No point is computed");
}

TEST(StencilShape, SaysWhatIsNoWeightedSum) {
  const StencilShape shape = shapeOfText(R"(
__global__ void steepest(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = fmaxf(in[i - 1], in[i + 1]) * in[i];
})");
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_FALSE(shape.linear);
  EXPECT_EQ(shape.points.size(), 3U);
  EXPECT_EQ(shape.zeros(), 0U);
}

TEST(StencilShape, WhatIsNoWeightedSumHasNoCoefficients) {
  const StencilShape shape = shapeOfText(R"(
__global__ void grow(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) out[i] = in[i] + 2.0f * in[i] + in[i] * in[i + 1];
})");
  ASSERT_THAT(shape.reason, IsEmpty());
  ASSERT_FALSE(shape.linear);
  EXPECT_THAT(describe(shape), ElementsAre("(0,0,0) ", "(0,0,1) "));
}

TEST(StencilShape, WrittenAsAFilterSaysWhichCoefficientsAreZero) {
  const StencilShape shape = shapeOf(catalogue().at("convolution/stencil_as_filter"));
  ASSERT_THAT(shape.reason, IsEmpty());
  ASSERT_EQ(shape.points.size(), 27U);
  EXPECT_EQ(shape.filter, "filter");
  EXPECT_EQ(shape.points.front().coefficient, "filter[0][0][0]");
  EXPECT_EQ(shape.points[18].coefficient, "filter[2][0][0]");
  EXPECT_EQ(shape.zeros(), 20U);
  EXPECT_TRUE(shape.isZero(shape.points.front()));
  EXPECT_FALSE(shape.isZero(*shape.at({0, 0, 0})));
  EXPECT_THAT(notes(shape), ::testing::Contains("7 of 27 coefficients are not zero."));
}

TEST(StencilShape, OfATinyGridSaysThatThereMayBeMore) {
  const StencilShape shape = shapeOf(catalogue().at("convolution/basic"), {}, {{"width", 3}, {"height", 3}});
  ASSERT_THAT(shape.reason, IsEmpty());
  EXPECT_FALSE(shape.complete);
}

}  // namespace
}  // namespace haloscope
