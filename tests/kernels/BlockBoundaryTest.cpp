#include "figures/BlockBoundary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "opening/OpenedFile.h"

// The roles of the points around a block. Expected numbers are derived by hand from tile and grid sizes.

namespace haloscope {
namespace {

using figures::BlockBoundary;
using figures::BoundaryCounts;
using figures::GhostConvention;
using figures::LoadedAs;
using figures::WrittenBy;
using recording::GridPoint;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

BlockBoundary boundaryOf(const KernelFile& file, const Bindings& bindings, std::optional<Dim3> block) {
  experiment::RunOptions options;
  options.countGrid = false;
  return figures::blockBoundary(*experiment::run(file, {file.id, bindings, block}, options));
}

BlockBoundary boundaryOf(const char* id, const Bindings& bindings, std::optional<Dim3> block) {
  return boundaryOf(test::catalogue().at(id), bindings, block);
}

BlockBoundary boundaryOfText(const std::string& text, Dim3 block) {
  const opening::OpenedFile file = opening::openText("opened.cu", text);
  return boundaryOf(file.kernels.at(0).file, {}, block);
}

TEST(BlockBoundary, AKernelWithoutAStencilHasASentenceAndNoNumber) {
  const BlockBoundary found = boundaryOfText(R"(
__global__ void reverse(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
})",
                                             Dim3{0, 0, 0});
  EXPECT_THAT(found.reason, HasSubstr("do not form a stencil"));
  EXPECT_FALSE(found.stencil);
  EXPECT_THAT(found.outputs, IsEmpty());
  EXPECT_THAT(found.kept, IsEmpty());
  EXPECT_THAT(found.ghosts, IsEmpty());
}

TEST(BlockBoundary, OfATileInTheFirstCornerOf33Cubed) {
  // The input tile spans -1 to 6 along each axis, the output tile 0 to 5; points with a coordinate of 0 or 32 keep
  // their value.
  const BlockBoundary found = boundaryOf("stencil/tiled", {{"N", 33}, {"IN_TILE_DIM", 8}}, Dim3{0, 0, 0});
  ASSERT_THAT(found.reason, IsEmpty());
  const BoundaryCounts counts = countAll(found);
  EXPECT_EQ(counts.outputs, 125U);  // 1 to 5
  EXPECT_EQ(counts.interior, 125U);
  EXPECT_EQ(counts.halo, 343U - 125U);      // loaded: 0 to 6
  EXPECT_EQ(counts.ghosts, 512U - 343U);    // the tile's other cells
  EXPECT_EQ(counts.kept, 35937U - 29791U);  // 33³ - 31³
  EXPECT_EQ(found.keptInHalo(), 343U - 216U);
  EXPECT_EQ(found.neededGhosts(), 0U);
  EXPECT_EQ(found.convention, GhostConvention::None);

  EXPECT_EQ(found.loadedAs({1, 1, 1}), LoadedAs::Interior);
  EXPECT_EQ(found.loadedAs({0, 3, 3}), LoadedAs::Halo);
  EXPECT_EQ(found.writtenBy({0, 3, 3}), WrittenBy::NoBlock);
  EXPECT_EQ(found.loadedAs({3, 3, 6}), LoadedAs::Halo);
  EXPECT_EQ(found.writtenBy({3, 3, 6}), WrittenBy::OtherBlock);
  EXPECT_EQ(found.loadedAs({-1, 3, 3}), LoadedAs::Ghost);
  EXPECT_EQ(found.loadedAs({3, 3, 7}), LoadedAs::Nothing);
  EXPECT_EQ(found.writtenBy({-1, 3, 3}), WrittenBy::Outside);

  EXPECT_EQ(found.middlePlane(), 3);
  EXPECT_EQ(counts.haloKept, 343U - 216U);
  const BoundaryCounts plane = countPlane(found, 3);
  EXPECT_EQ(plane.haloKept, 49U - 36U);  // of 7 × 7 loaded points those with a coordinate of 0
  EXPECT_EQ(plane.outputs, 25U);
  EXPECT_EQ(plane.interior, 25U);
  EXPECT_EQ(plane.halo, 49U - 25U);
  EXPECT_EQ(plane.ghosts, 64U - 49U);
  EXPECT_EQ(plane.kept, 1089U - 961U);
}

TEST(BlockBoundary, OfATileInTheLastCornerOf33Cubed) {
  // Block 5: the input tile spans 29 to 36, the array ends at 32, and 32 keeps its value.
  const BlockBoundary found = boundaryOf("stencil/tiled", {{"N", 33}, {"IN_TILE_DIM", 8}}, Dim3{5, 5, 5});
  const BoundaryCounts counts = countAll(found);
  EXPECT_EQ(counts.outputs, 8U);
  EXPECT_EQ(counts.interior, 8U);
  EXPECT_EQ(counts.halo, 64U - 8U);
  EXPECT_EQ(counts.ghosts, 512U - 64U);
  EXPECT_EQ(counts.kept, 6146U);
}

TEST(BlockBoundary, OfAnInteriorTileHasNoGhosts) {
  const BlockBoundary found = boundaryOf("stencil/tiled", {{"N", 33}, {"IN_TILE_DIM", 8}}, Dim3{2, 2, 2});
  const BoundaryCounts counts = countAll(found);
  EXPECT_EQ(counts.interior, 216U);
  EXPECT_EQ(counts.halo, 512U - 216U);
  EXPECT_EQ(counts.ghosts, 0U);
  EXPECT_EQ(ghostSentence(found), "No output of this block uses points outside the array.");
}

TEST(BlockBoundary, OfAFilterCountsGhostCellsAsZero) {
  // Radius 2, an input tile of 16: from -2 to 13, of which 0 to 13 exist; outputs 0 to 11.
  const BlockBoundary found =
      boundaryOf("convolution/tiled_input_block",
                 {{"width", 64}, {"height", 64}, {"FILTER_RADIUS", 2}, {"IN_TILE_DIM", 16}}, Dim3{0, 0, 0});
  ASSERT_THAT(found.reason, IsEmpty());
  const BoundaryCounts counts = countAll(found);
  EXPECT_EQ(counts.interior, 144U);
  EXPECT_EQ(counts.outputs, 144U);
  EXPECT_EQ(counts.halo, 196U - 144U);
  EXPECT_EQ(counts.ghosts, 256U - 196U);
  EXPECT_EQ(counts.kept, 0U);
  EXPECT_EQ(found.neededGhosts(), 60U);
  EXPECT_EQ(found.convention, GhostConvention::Zero);
  ASSERT_NE(found.ghostAt({0, -2, -2}), nullptr);
  EXPECT_TRUE(found.ghostAt({0, -2, -2})->held);
  EXPECT_TRUE(found.ghostAt({0, -2, -2})->needed);
}

TEST(BlockBoundary, OfAFilterThatSkipsGhostCellsIsTheSame) {
  const BlockBoundary found =
      boundaryOf("convolution/basic", {{"width", 64}, {"height", 64}, {"FILTER_RADIUS", 2}}, Dim3{0, 0, 0});
  ASSERT_THAT(found.reason, IsEmpty());
  EXPECT_EQ(found.convention, GhostConvention::Zero);
  ASSERT_NE(found.ghostAt({0, -2, -2}), nullptr);
  EXPECT_FALSE(found.ghostAt({0, -2, -2})->held);
  const std::size_t edge = 16;  // of the block
  const BoundaryCounts counts = countAll(found);
  EXPECT_EQ(counts.outputs, edge * edge);
  EXPECT_EQ(counts.interior, edge * edge);
  EXPECT_EQ(counts.halo, (edge + 2) * (edge + 2) - edge * edge);
  EXPECT_EQ(counts.ghosts, (edge + 4) * (edge + 4) - (edge + 2) * (edge + 2));
}

TEST(BlockBoundary, SaysWhereTheNearestPointIsUsedInstead) {
  const BlockBoundary found = boundaryOfText(R"(
__global__ void mean(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)]) / 3.0f;
})",
                                             {0, 0, 0});
  ASSERT_THAT(found.reason, IsEmpty());
  EXPECT_EQ(found.convention, GhostConvention::Otherwise);
  EXPECT_EQ(found.neededGhosts(), 1U);
  EXPECT_THAT(ghostSentence(found), HasSubstr("do not count as zero"));
}

TEST(BlockBoundary, SaysWhatOneGhostCellIsWorth) {
  const BlockBoundary found = boundaryOfText(R"(
__global__ void heated(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : 20.0f;
  float right = i < n - 1 ? in[i + 1] : 20.0f;
  out[i] = 0.5f * left + 0.5f * right;
})",
                                             {0, 0, 0});
  EXPECT_EQ(found.convention, GhostConvention::Otherwise) << "20 is not zero";
}

TEST(BlockBoundary, OfABlockWithoutWorkSaysSo) {
  const BlockBoundary found = boundaryOf("stencil/tiled", {{"N", 30}, {"IN_TILE_DIM", 8}}, Dim3{4, 4, 4});
  // Of the output tile 24 to 29, 24 to 28 are computed, so this block works. A block with nothing to compute does not.
  EXPECT_THAT(found.reason, IsEmpty());
  const BlockBoundary idle = boundaryOf("stencil/tiled", {{"N", 31}, {"IN_TILE_DIM", 8}}, Dim3{5, 5, 5});
  EXPECT_THAT(idle.reason, HasSubstr("writes no array"));
}

}  // namespace
}  // namespace haloscope
