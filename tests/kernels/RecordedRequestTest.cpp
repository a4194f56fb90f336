#include <gtest/gtest.h>

#include "RecordingSupport.h"
#include "analysis/RecordedRequest.h"

/// A warp's access as shown in the address panel, for whole kernels.
namespace haloscope::analysis {
namespace {

using test::prepare;
using test::prepareText;

/// The first access of a warp to an array of this name.
RecordedRequest firstRequest(const recording::Recording& recording, const char* array, std::uint32_t warp, bool store) {
  for (const recording::AccessGroup& access : recording.accesses) {
    const bool wanted =
        access.warp == warp && access.store == store && recording.program->objects[access.object].name == array;
    if (wanted) { return requestOf(recording, access); }
  }
  ADD_FAILURE() << "no such access";
  return {};
}

/// Four rows of eight floats: a warp of an 8×8×8 block. Each row of the grid is a line of 128 bytes here, and because
/// of the halo every row spans two sectors.
TEST(RecordedRequest, AWarpOfACubeTouchesFourRows) {
  const auto recording = prepare("stencil/tiled", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({3, 3, 3});
  const RecordedRequest load = firstRequest(*recording, "in", 9, false);
  EXPECT_EQ(load.lanes.size(), 32U);
  ASSERT_EQ(load.rows.size(), 4U);
  for (std::size_t row = 1; row < 4; ++row) { EXPECT_EQ(load.rows[row] - load.rows[row - 1], 128); }
  EXPECT_EQ(load.shape.sectors, 8U);
  EXPECT_EQ(load.shape.idealSectors, 4U);
  EXPECT_EQ(load.shape.lines, 4U);

  const RecordedRequest tile = firstRequest(*recording, "in_s", 9, true);
  EXPECT_EQ(tile.rows.size(), 1U) << "32 words side by side: each bank has one";
  EXPECT_EQ(tile.shape.bankDegree, 1U);
  EXPECT_EQ(tile.conflicting, 0U);

  const RecordedRequest weight = firstRequest(*recording, "c", 9, false);
  EXPECT_EQ(weight.shape.passes, 1U) << "a broadcast";
}

TEST(RecordedRequest, AColumnOfASquareTileWaitsForOneBank) {
  const auto recording = prepareText(R"(
__global__ void k(const float* in, float* out, int N) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[x][y] = in[y * N + x];
  __syncthreads();
  out[y * N + x] = tile[y][x];
})",
                                     {{1, 1, 1}, {32, 2, 1}}, 32, 2)
                             .record({0, 0, 0});
  const RecordedRequest column = firstRequest(*recording, "tile", 1, true);
  EXPECT_EQ(column.shape.bankDegree, 32U);
  EXPECT_EQ(column.worstBank, 1U) << "y is 1 in the second warp";
  EXPECT_EQ(column.conflicting, kAllLanes);
  EXPECT_EQ(column.rows.size(), 32U);
  const RecordedRequest row = firstRequest(*recording, "tile", 1, false);
  EXPECT_EQ(row.shape.bankDegree, 1U);
  EXPECT_EQ(row.worstBank, kNone);
}

}  // namespace
}  // namespace haloscope::analysis
