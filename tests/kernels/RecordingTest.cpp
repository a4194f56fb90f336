#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "RecordingSupport.h"
#include "recording/RecordingBuilder.h"
#include "simt/Executor.h"

namespace haloscope::recording {
namespace {

using test::prepare;
using test::Prepared;
using test::prepareText;
using test::Recorded;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RecordingTest, SharedTileOfAnInteriorBlock) {
  Recorded block(prepare("stencil/tiled", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({2, 2, 2}));
  EXPECT_EQ(block.footprint.loads.size(), 512U);
  EXPECT_EQ(block.footprint.outputs.size(), 216U);
  EXPECT_DOUBLE_EQ(block.footprint.haloFraction(), 296.0 / 512.0);
  EXPECT_EQ(block.footprint.lowest, (GridPoint{11, 11, 11}));
  EXPECT_EQ(block.footprint.highest, (GridPoint{18, 18, 18}));
  EXPECT_THAT(block.carrierNames(), ElementsAre("in_s"));

  ASSERT_TRUE(block.goToActivity(Activity::Load));
  EXPECT_EQ(block.roles(0), (std::map<Role, int>{{Role::Interior, 216}, {Role::Halo, 296}}));
  const BlockView loading = block.view();
  EXPECT_TRUE(loading.carriers[0].placed);
  EXPECT_EQ(loading.carriers[0].offset, (GridPoint{11, 11, 11}));
  EXPECT_EQ(loading.lanes[77], LaneStatus::Loading);
  for (const PointView& input : loading.inputs) { EXPECT_TRUE(input.active); }
  EXPECT_EQ(loading.outputsWritten, 0U);

  ASSERT_TRUE(block.goToActivity(Activity::Barrier));
  EXPECT_EQ(block.view().lanes[0], LaneStatus::Waiting);

  ASSERT_TRUE(block.goToActivity(Activity::Output));
  const BlockView storing = block.view();
  EXPECT_EQ(storing.outputsWritten, 216U);
  for (const PointView& output : storing.outputs) {
    EXPECT_EQ(output.role, Role::Output);
    EXPECT_TRUE(output.active);
  }
  EXPECT_EQ(storing.lanes[0], LaneStatus::Exited) << "no lane of this warp, of plane 0, stores: it is done";
  EXPECT_EQ(storing.lanes[64], LaneStatus::MaskedOff) << "thread (0, 0, 1) does not, but others of its warp do";
  EXPECT_EQ(storing.lanes[64 + 8 + 1], LaneStatus::Storing);
}

/// A pointer to a narrower type writes to parts of elements, of which there are more than elements.
TEST(RecordingTest, BytesOfAnArrayArePartsOfItsElements) {
  LaunchConfiguration configuration;
  configuration.block = {64, 1, 1};
  const Prepared prepared = prepareText(R"(__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[64];
  float own[2];
  unsigned char* bytes = (unsigned char*)tile;
  unsigned short* halves = (unsigned short*)own;
  for (int i = 0; i < 4; ++i) { bytes[4 * threadIdx.x + i] = 4 * threadIdx.x + i; }
  for (int i = 0; i < 4; ++i) { halves[i] = i; }
  for (int i = 0; i < 2; ++i) { ((unsigned short*)out)[2 * threadIdx.x + i] = halves[i] + bytes[255 - threadIdx.x]; }
}
)",
                                        configuration, 64, 1);
  Recorded block(prepared.record({0, 0, 0}));
  block.cursor.goTo(block.cursor.end());
  const ObjectId tile = prepared.program->findObject("tile"), own = prepared.program->findObject("own"),
                 out = prepared.program->findObject("out");
  ASSERT_EQ(block.cursor.shared(tile).size(), 64U);
  ASSERT_EQ(block.cursor.shared(own).size(), 128U);
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(block.cursor.shared(tile)[i].bits, 0x03020100U + i * 0x04040404U) << i;
    EXPECT_EQ(block.cursor.shared(own)[2 * i].bits, 0x00010000U) << i;
    EXPECT_EQ(block.cursor.shared(own)[2 * i + 1].bits, 0x00030002U) << i;
    ASSERT_NE(block.cursor.output(out, i), nullptr) << i;
    EXPECT_EQ(block.cursor.output(out, i)->bits, (256U - i) << 16 | (255U - i)) << i;
  }
  EXPECT_EQ(block.cursor.written(out).size(), 64U);
  static_cast<void>(block.view());
  block.cursor.goTo(0);
  EXPECT_EQ(block.cursor.shared(tile)[5].writtenAt, kNone);
}

TEST(RecordingTest, SharedTileOfACornerBlockHasGhosts) {
  Recorded block(prepare("stencil/tiled", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({0, 0, 0}));
  EXPECT_EQ(block.footprint.outputs.size(), 125U);
  ASSERT_TRUE(block.goToActivity(Activity::Load));
  EXPECT_EQ(block.roles(0), (std::map<Role, int>{{Role::Interior, 125}, {Role::Halo, 343 - 125}, {Role::Ghost, 169}}));
  EXPECT_EQ(block.view().carriers[0].offset, (GridPoint{-1, -1, -1}));
}

TEST(RecordingTest, AsynchronousCopiesArriveWhereTheyAreWaitedFor) {
  const Prepared prepared = prepareText(R"(#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, int N) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
})",
                                        {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamicSharedBytes = 0}, 32, 1);
  const auto recording = prepared.record({0, 0, 0});
  const auto stepAt = [&](int line) {
    for (std::size_t step = 0; step < recording->steps.size(); ++step) {
      const StatementId statement = recording->steps[step].statement;
      if (statement != kNone && prepared.program->statements[statement].range.line == line) { return step; }
    }
    return recording->steps.size();
  };
  ASSERT_LT(stepAt(4), stepAt(6));
  ASSERT_LT(stepAt(6), recording->steps.size());
  ASSERT_EQ(recording->accessesOf(stepAt(4)).size(), 1U) << "the copy's issue reads";
  EXPECT_FALSE(recording->accessesOf(stepAt(4))[0].store);
  EXPECT_TRUE(recording->changesOf(stepAt(4)).empty());
  EXPECT_TRUE(recording->changesOf(stepAt(5)).empty());
  ASSERT_EQ(recording->accessesOf(stepAt(6)).size(), 1U) << "it arrives at the wait";
  EXPECT_TRUE(recording->accessesOf(stepAt(6))[0].store);
  const auto changes = recording->changesOf(stepAt(6));
  ASSERT_EQ(changes.size(), 32U);
  const ObjectId in = prepared.program->findObject("in");
  for (std::uint32_t thread = 0; thread < 32; ++thread) {
    EXPECT_EQ(changes[thread].kind, Change::Kind::Shared);
    EXPECT_EQ(changes[thread].index, thread);
    EXPECT_EQ(changes[thread].thread, thread);
    EXPECT_EQ(changes[thread].originAfter, (Origin{Origin::Kind::Element, in, thread}));
    EXPECT_EQ(changes[thread].originBefore.kind, Origin::Kind::Unwritten);
  }
}

TEST(RecordingTest, BulkCopiesAreInFlightUntilTheirBarrierIsWaitedFor) {
  const Prepared prepared = prepareText(R"(#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const float* in, float* out, int N) {
  __shared__ alignas(16) float tile[32];
  __shared__ uint64_t arrived[2];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived[1], 1);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 4, in + 8, 64, &arrived[1]);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived[1], 64);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived[1], 0)) {}
  out[threadIdx.x] = tile[threadIdx.x];
})",
                                        {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamicSharedBytes = 0}, 32, 1);
  const auto recording = prepared.record({0, 0, 0});
  const auto lineOf = [&](std::uint32_t step) {
    const StatementId statement = recording->steps.at(step).statement;
    return statement == kNone ? 0 : prepared.program->statements[statement].range.line;
  };
  ASSERT_EQ(recording->inFlight.size(), 16U);
  for (std::size_t i = 0; i < 16; ++i) {
    const recording::InFlight& copy = recording->inFlight[i];
    EXPECT_EQ(copy.object, prepared.program->findObject("tile"));
    EXPECT_EQ(copy.index, static_cast<std::int64_t>(4 + i));
    EXPECT_EQ(copy.thread, 0U);
    EXPECT_EQ(lineOf(copy.issuedAt), 8);
    EXPECT_EQ(lineOf(copy.arrivesAt), 12);
    EXPECT_EQ(copy.barrier, prepared.program->findObject("arrived"));
    EXPECT_EQ(copy.barrierIndex, 1);
  }
  EXPECT_TRUE(recording->changesOf(recording->inFlight[0].issuedAt).empty());
  EXPECT_THAT(recording::inFlightText(*recording, recording->inFlight[0]), testing::HasSubstr("arrives at arrived[1]"));
  const auto changes = recording->changesOf(recording->inFlight[0].arrivesAt);
  ASSERT_EQ(changes.size(), 16U);
  const ObjectId in = prepared.program->findObject("in");
  EXPECT_EQ(changes[3].originAfter, (Origin{Origin::Kind::Element, in, 11}));
}

TEST(RecordingTest, CoarsenedBlockRotatesItsPlanes) {
  Recorded block(prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({2, 2, 2}));
  EXPECT_THAT(block.carrierNames(), ElementsAre("inPrev_s", "inCurr_s", "inNext_s"));
  ASSERT_EQ(block.recording->planes.size(), 6U);
  for (std::size_t plane = 0; plane < 6; ++plane) {
    const Plane& turn = block.recording->planes[plane];
    EXPECT_EQ(turn.variable, "i");
    const std::int64_t i = 12 + static_cast<std::int64_t>(plane);
    EXPECT_EQ(turn.value, i);

    block.cursor.goToPlane(plane);
    ASSERT_TRUE(block.goToActivity(Activity::Load));
    const BlockView loaded = block.view();
    EXPECT_EQ(loaded.carriers[0].offset, (GridPoint{i - 1, 11, 11}));
    EXPECT_EQ(loaded.carriers[1].offset, (GridPoint{i, 11, 11}));
    EXPECT_EQ(loaded.carriers[2].offset, (GridPoint{i + 1, 11, 11}));
    for (const CarrierView& carrier : loaded.carriers) { EXPECT_EQ(carrier.movedFrom, kNone); }

    ASSERT_TRUE(block.goToActivity(Activity::Output));
    EXPECT_EQ(block.view().outputsWritten, 36 * (plane + 1));

    ASSERT_TRUE(block.goToActivity(Activity::Move));
    const BlockView previous = block.view();
    EXPECT_EQ(previous.carriers[0].movedFrom, 1U) << "prev takes over curr";
    EXPECT_EQ(previous.carriers[1].movedFrom, kNone);
    EXPECT_EQ(previous.carriers[0].offset.z, i);
    EXPECT_TRUE(previous.carriers[0].cells[9].changed);
    EXPECT_TRUE(previous.carriers[1].cells[9].read);
    EXPECT_EQ(previous.lanes[0], LaneStatus::Storing);

    ASSERT_TRUE(block.goToActivity(Activity::Move));
    EXPECT_EQ(block.view().carriers[1].movedFrom, 2U) << "curr takes over next";
    EXPECT_EQ(block.view().carriers[1].offset.z, i + 1);
  }
}

TEST(RecordingTest, RegisterTiledBlockKeepsPlanesInRegisters) {
  Recorded block(prepare("stencil/register_tiled", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({2, 2, 2}));
  ASSERT_THAT(block.carrierNames(), ElementsAre("inCurr_s", "inPrev", "inCurr", "inNext"));
  EXPECT_EQ(block.carriers[1].kind, Carrier::Kind::Register);
  EXPECT_EQ(block.carriers[1].extents, (std::vector<std::int64_t>{1, 8, 8}));

  block.cursor.goToPlane(1);
  ASSERT_TRUE(block.goToActivity(Activity::Load));
  BlockView view = block.view();
  EXPECT_EQ(view.carriers[0].offset, (GridPoint{13, 11, 11}));
  EXPECT_EQ(view.carriers[1].offset, (GridPoint{12, 11, 11}));
  EXPECT_EQ(view.carriers[2].offset, (GridPoint{13, 11, 11}));
  EXPECT_EQ(view.carriers[3].offset, (GridPoint{14, 11, 11}));
  ASSERT_TRUE(block.goToActivity(Activity::Move));
  EXPECT_EQ(block.view().carriers[1].movedFrom, 2U) << "inPrev = inCurr";
  ASSERT_TRUE(block.goToActivity(Activity::Move));
  EXPECT_EQ(block.view().carriers[2].movedFrom, 3U) << "inCurr = inNext";
  ASSERT_TRUE(block.goToActivity(Activity::Move));
  view = block.view();
  EXPECT_EQ(view.carriers[0].movedFrom, 2U) << "inCurr_s = inCurr";
  EXPECT_TRUE(view.carriers[2].cells[9].read);
  EXPECT_EQ(block.roles(0), (std::map<Role, int>{{Role::Interior, 36}, {Role::Halo, 28}}));
}

TEST(RecordingTest, RegisterTiledBlockAtTheBorderHoldsGhosts) {
  Recorded block(prepare("stencil/register_tiled", {{"N", 32}, {"IN_TILE_DIM", 8}}).record({0, 0, 0}));
  block.cursor.goToPlane(0);
  ASSERT_TRUE(block.goToActivity(Activity::Load));
  // inNext at the border: 0.0f if the thread is outside the grid.
  EXPECT_EQ(block.roles(3)[Role::Ghost], 15);
  EXPECT_EQ(block.roles(1), (std::map<Role, int>{{Role::Unwritten, 64}})) << "inPrev: no plane lies before the first";
}

TEST(RecordingTest, BasicStencilReadsItsNeighboursAtOnce) {
  Recorded block(prepare("stencil/basic", {{"N", 32}}).record({0, 1, 1}));
  EXPECT_TRUE(block.carriers.empty());
  ASSERT_TRUE(block.goToActivity(Activity::Output));
  const BlockView view = block.view();
  EXPECT_EQ(view.outputsWritten, block.footprint.outputs.size());
  for (const PointView& input : view.inputs) { EXPECT_TRUE(input.active); }
  EXPECT_GT(block.footprint.haloFraction(), 0.2);
}

TEST(RecordingTest, CachedHaloReadsTheHaloFromGlobalMemory) {
  Recorded block(prepare("convolution/cached_halo", {}).record({1, 1, 0}));
  ASSERT_THAT(block.carrierNames(), ElementsAre("in_s"));
  ASSERT_TRUE(block.goToActivity(Activity::Load));
  EXPECT_EQ(block.roles(0), (std::map<Role, int>{{Role::Interior, 256}})) << "the tile itself has no halo";
  ASSERT_TRUE(block.goToActivity(Activity::Barrier));
  ASSERT_TRUE(block.goToActivity(Activity::Load));
  std::size_t halo = 0, active = 0;
  for (const PointView& input : block.view().inputs) {
    if (!input.active) { continue; }
    ++active;
    halo += input.role == Role::Halo ? 1U : 0U;
  }
  EXPECT_GT(active, 0U);
  EXPECT_EQ(halo, active);
}

/// Properties of every variant of the catalogue.
class RecordingOfVariant : public testing::TestWithParam<const char*> {};

TEST_P(RecordingOfVariant, AgreesWithAWholeRun) {
  Prepared kernel = prepare(GetParam(), {});
  const Dim3 last{kernel.launch.configuration.grid.x - 1, 0, kernel.launch.configuration.grid.z - 1};
  Recorded block(kernel.record(last));
  EXPECT_FALSE(block.recording->truncated);
  block.cursor.goTo(block.cursor.end());
  for (const LaneStatus lane : block.view().lanes) { EXPECT_NE(lane, LaneStatus::Waiting); }

  simt::execute(*kernel.program, kernel.launch);
  const ObjectId output = block.footprint.output;
  ASSERT_NE(output, kNone);
  for (const std::int64_t element : block.footprint.outputs) {
    const Cell* cell = block.cursor.output(output, element);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->bits, elementBits(kernel.launch.arrays[output], element));
  }
}

TEST_P(RecordingOfVariant, RunsBackwards) {
  Prepared kernel = prepare(GetParam(), {});
  Recorded block(kernel.record({0, 0, 0}));
  const std::size_t objects = kernel.program->objects.size();
  const std::size_t variables = kernel.program->variables.size();
  Cursor back(block.recording);
  back.goTo(back.end());
  back.goTo(back.end() / 2);
  block.cursor.goTo(block.cursor.end() / 2);
  for (ObjectId id = 0; id < objects; ++id) {
    EXPECT_EQ(back.shared(id), block.cursor.shared(id));
    EXPECT_EQ(back.written(id), block.cursor.written(id));
  }
  for (VariableId id = 0; id < variables; ++id) { EXPECT_EQ(back.variable(id), block.cursor.variable(id)); }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RecordingOfVariant,
                         testing::Values("stencil/basic", "stencil/tiled", "stencil/coarsened",
                                         "stencil/register_tiled", "convolution/basic", "convolution/constant",
                                         "convolution/tiled_input_block", "convolution/tiled_output_block",
                                         "convolution/cached_halo"));

TEST(RecordingTest, LargestBlockIsSmall) {
  const Prepared kernel = prepare("stencil/coarsened", {{"N", 92}, {"IN_TILE_DIM", 32}});
  Recorded block(kernel.record({1, 1, 1}));
  EXPECT_EQ(block.recording->planes.size(), 30U);
  EXPECT_EQ(block.footprint.outputs.size(), 27000U);
  EXPECT_LE(block.recording->byteCount(), std::size_t{32} << 20);
}

TEST(RecordingTest, AWarpThatRunsAheadEndsWhereTheOthersDo) {
  const Prepared kernel = prepare("stencil/coarsened", {{"N", 32}, {"IN_TILE_DIM", 8}});
  const auto sideBySide = kernel.record({2, 2, 2});
  for (const simt::WarpOrder order : {simt::WarpOrder::InOrder, simt::WarpOrder::Reversed, simt::WarpOrder::Random}) {
    const auto ahead = analysis::record(kernel.program, kernel.launch, {2, 2, 2}, {.order = order, .orderSeed = 3});
    EXPECT_FALSE(ahead->truncated) << ahead->message;
    EXPECT_GT(ahead->steps.size(), sideBySide->steps.size()) << "a step is one warp's";
    EXPECT_EQ(ahead->planes.size(), sideBySide->planes.size());
    Recorded expected(sideBySide), block(ahead);
    ASSERT_TRUE(expected.goToActivity(Activity::Output));
    expected.cursor.goTo(expected.cursor.end());
    block.cursor.goTo(block.cursor.end());
    EXPECT_EQ(block.view().outputsWritten, expected.view().outputsWritten);
  }
}

TEST(RecordingTest, StopsAtItsMemoryBudget) {
  const Prepared kernel = prepare("stencil/coarsened", {});
  const auto recording =
      analysis::record(kernel.program, kernel.launch, {0, 0, 0}, {.memoryBudget = std::size_t{1} << 18});
  EXPECT_TRUE(recording->truncated);
  EXPECT_THAT(recording->message, HasSubstr("full"));
  EXPECT_GT(recording->steps.size(), 2U);
  EXPECT_EQ(recording->activities.size(), recording->steps.size());
}

const LaunchConfiguration kOneBlock{{1, 1, 1}, {32, 1, 1}, 0};

TEST(RecordingTest, EndlessLoopIsRecordedAsFarAsItGoes) {
  const Prepared kernel = prepareText(
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  int i = 0;\n"
      "  while (i < N) { out[0] = in[1]; }\n"
      "}\n",
      kOneBlock, 8, 1);
  const auto recording = analysis::record(kernel.program, kernel.launch, {0, 0, 0}, {std::size_t{4} << 20, {}});
  EXPECT_TRUE(recording->truncated);
  EXPECT_FALSE(recording->message.empty());
}

TEST(RecordingTest, DivergentBarrierIsTheLastStep) {
  const Prepared kernel = prepareText(
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  if (threadIdx.x < 7) {\n"
      "    __syncthreads();\n"
      "  }\n"
      "  out[threadIdx.x % N] = in[0];\n"
      "}\n",
      kOneBlock, 8, 1);
  const Recorded block(kernel.record({0, 0, 0}));
  EXPECT_TRUE(block.recording->truncated);
  EXPECT_THAT(block.recording->message, HasSubstr("barrier"));
  ASSERT_FALSE(block.recording->steps.empty());
  EXPECT_EQ(block.recording->activities.back(), Activity::Barrier);
}

TEST(RecordingTest, SharedLineUsedAsATileIsPlaced) {
  const Prepared kernel = prepareText(
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  __shared__ float tile[10 * 10];\n"
      "  int row = (int)threadIdx.y - 1, col = (int)threadIdx.x - 1;\n"
      "  bool inside = row >= 0 && row < N && col >= 0 && col < N;\n"
      "  float v = inside ? in[row * N + col] : 0.0f;\n"
      "  tile[threadIdx.y * 10 + threadIdx.x] = v;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x % 9 == 0 || threadIdx.y % 9 == 0) { return; }\n"
      "  out[row * N + col] = tile[threadIdx.y * 10 + threadIdx.x - 1] + tile[threadIdx.y * 10 + threadIdx.x + 1];\n"
      "}\n",
      {{1, 1, 1}, {10, 10, 1}, 0}, 8, 2);
  Recorded block(kernel.record({0, 0, 0}));
  EXPECT_THAT(block.carrierNames(), ElementsAre("tile", "v"));
  ASSERT_TRUE(block.goToActivity(Activity::Barrier));
  const BlockView view = block.view();
  EXPECT_TRUE(view.carriers[0].placed);
  EXPECT_EQ(view.carriers[0].offset, (GridPoint{0, -1, -1}));
  EXPECT_EQ(block.roles(0), (std::map<Role, int>{{Role::Interior, 64}, {Role::Ghost, 36}}));
  EXPECT_EQ(block.roles(1), (std::map<Role, int>{{Role::Interior, 64}, {Role::Ghost, 36}}));

  block.cursor.goTo(block.cursor.end());
  EXPECT_EQ(block.view().lanes[0], LaneStatus::Exited);
  EXPECT_EQ(block.cursor.written(block.footprint.output).size(), 64U);
}

TEST(RecordingTest, AccumulatorsAreNoCarriers) {
  const Prepared kernel = prepareText(
      "__device__ float at(const float* a, int i, int n) { return a[i % n]; }\n"
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  int i = threadIdx.x;\n"
      "  float sum = in[i % N];\n"
      "  sum += at(in, i + 1, N);\n"
      "  float kept = at(in, i + 2, N);\n"
      "  out[i % N] = sum + kept;\n"
      "}\n",
      kOneBlock, 32, 1);
  const Recorded block(kernel.record({0, 0, 0}));
  EXPECT_THAT(block.carrierNames(), ElementsAre("kept"));
}

TEST(RecordingTest, SmallerOutputLiesAmidItsInput) {
  Prepared kernel = prepareText(
      "__global__ void k(const float* in, float* out, int N) {\n"
      "  int row = threadIdx.y, col = threadIdx.x;\n"
      "  float sum = 0.0f;\n"
      "  for (int r = 0; r < 3; ++r) {\n"
      "    for (int c = 0; c < 3; ++c) { sum += in[(row + r) * N + col + c]; }\n"
      "  }\n"
      "  out[row * (N - 2) + col] = sum;\n"
      "}\n",
      {{1, 1, 1}, {8, 8, 1}, 0}, 10, 2);
  kernel.launch.arrays[kernel.program->findObject("out")].extents = {8, 8};
  kernel.launch.arrays[kernel.program->findObject("out")].bytes.resize(256);
  const Recorded block(kernel.record({0, 0, 0}));
  EXPECT_EQ(block.footprint.outputShift, (GridPoint{0, 1, 1}));
  EXPECT_FALSE(block.footprint.computes(0));
  EXPECT_TRUE(block.footprint.computes(11));
  EXPECT_DOUBLE_EQ(block.footprint.haloFraction(), 0.36);
}

}  // namespace
}  // namespace haloscope::recording
