#include <gtest/gtest.h>

#include <array>

#include "RecordingSupport.h"
#include "analysis/RecordedRequest.h"
#include "simt/Executor.h"

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

constexpr const char* kVectors = R"(
__global__ void k(const float* in, float* out, int N) {
  __shared__ float4 tile[32];
  __shared__ double wide[32];
  int i = threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in)[i];
  tile[i] = v;
  wide[i * 2 % 32] = v.x;
  __syncthreads();
  float4 w = tile[i / 2];
  float2 half = {w.x, (float)wide[i / 4]};
  reinterpret_cast<float2*>(out)[i] = half;
  out[N - 1 - i] = tile[3].y;
})";

TEST(RecordedRequest, AVectorIsOneRequest) {
  const auto recording = prepareText(kVectors, {{1, 1, 1}, {32, 1, 1}}, 256, 1).record({0, 0, 0});
  const RecordedRequest load = firstRequest(*recording, "in", 0, false);
  EXPECT_EQ(load.shape.lanes, 32U);
  EXPECT_EQ(load.shape.sectors, 16U);
  EXPECT_EQ(load.lane.bytes, 16);
  EXPECT_EQ(load.elementBytes, 4);
  EXPECT_EQ(load.rows.size(), 4U);
  ASSERT_EQ(load.lanes.size(), 128U) << "four elements a lane";
  for (std::size_t i = 0; i < load.lanes.size(); ++i) {
    EXPECT_EQ(load.lanes[i].lane, static_cast<int>(i / 4));
    EXPECT_EQ(load.lanes[i].element, static_cast<std::int64_t>(i));
    EXPECT_EQ(load.lanes[i].part, static_cast<int>(i % 4));
  }
  const RecordedRequest store = firstRequest(*recording, "out", 0, true);
  EXPECT_EQ(store.lanes.size(), 64U);
  EXPECT_EQ(store.shape.sectors, 8U);
  const RecordedRequest tile = firstRequest(*recording, "tile", 0, true);
  EXPECT_EQ(tile.shape.passes, 4U) << "a quarter of the warp after the other";
  EXPECT_EQ(tile.shape.bankDegree, 1U);
  EXPECT_EQ(tile.worstBank, kNone);
  EXPECT_EQ(firstRequest(*recording, "tile", 0, false).shape.passes, 2U) << "neighbours read the same";
  const RecordedRequest wide = firstRequest(*recording, "wide", 0, true);
  EXPECT_EQ(wide.shape.bankDegree, 2U);
  EXPECT_EQ(wide.worstBank, 0U);
  EXPECT_EQ(wide.conflicting, 0x00000101U) << "lanes 0 and 8 of the first half";
  EXPECT_EQ(firstRequest(*recording, "wide", 0, false).shape.passes, 1U);
}

TEST(RecordedRequest, AnAtomicOnOneWordWaitsLaneAfterLane) {
  const auto recording = prepareText(R"(
__global__ void k(const float* in, float* out, int N) {
  __shared__ int counts[32];
  atomicAdd(&counts[threadIdx.x / 4 * 4], 1);
})",
                                     {{1, 1, 1}, {32, 1, 1}}, 32, 1)
                             .record({0, 0, 0});
  const RecordedRequest counts = firstRequest(*recording, "counts", 0, true);
  EXPECT_EQ(counts.lane.effect, RequestEffect::Atomic);
  EXPECT_EQ(counts.shape.passes, 4U);
  EXPECT_EQ(counts.worstBank, 0U);
  EXPECT_EQ(counts.conflicting, 0x0000000fU);
}

/// What the panel of addresses shows adds up to what is counted for the grid.
TEST(RecordedRequest, RecordingAndCountsAgree) {
  for (const char* id : {"stencil/tiled", "convolution/1d_tiled", ""}) {
    const auto prepared = *id == '\0' ? prepareText(kVectors, {{1, 1, 1}, {32, 1, 1}}, 256, 1) : prepare(id, {});
    Launch launch = prepared.launch;
    RequestCounter counter(*prepared.program);
    const std::array<simt::Observer*, 1> observers{&counter};
    simt::execute(*prepared.program, launch, observers, {.workers = 1, .onlyBlocks = {0}});
    const auto recording = prepared.record({0, 0, 0});
    RequestTotals totals;
    for (const recording::AccessGroup& access : recording->accesses) {
      if (beginsRequest(*recording, access)) { totals.add(requestOf(*recording, access).shape, access.space); }
    }
    EXPECT_EQ(totals, counter.totals().all) << id;
  }
}

}  // namespace
}  // namespace haloscope::analysis
