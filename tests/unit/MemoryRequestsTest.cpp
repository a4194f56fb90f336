#include "analysis/MemoryRequests.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"

/// All expected numbers are derived by hand from the rules: sectors of 32 bytes, 32 banks of 4 bytes.
namespace haloscope::test {
namespace {

using analysis::LaneAddresses;
using analysis::RequestShape;
using analysis::shapeOf;

LaneAddresses addresses(const std::function<std::int64_t(int)>& ofLane) {
  LaneAddresses at{};
  for (int lane = 0; lane < kWarpSize; ++lane) { at[static_cast<std::size_t>(lane)] = ofLane(lane); }
  return at;
}

RequestShape global(int bytes, const std::function<std::int64_t(int)>& element, LaneMask lanes = kAllLanes) {
  return shapeOf(addresses([&](int lane) { return element(lane) * bytes; }), lanes, bytes, MemorySpace::Global);
}

RequestShape shared(int bytes, const std::function<std::int64_t(int)>& element, LaneMask lanes = kAllLanes) {
  return shapeOf(addresses([&](int lane) { return element(lane) * bytes; }), lanes, bytes, MemorySpace::Shared);
}

TEST(RequestShape, ContiguousFloatsAreFourSectors) {
  const RequestShape shape = global(4, [](int lane) { return lane; });
  EXPECT_EQ(shape.lanes, 32U);
  EXPECT_EQ(shape.sectors, 4U);
  EXPECT_EQ(shape.idealSectors, 4U);
  EXPECT_EQ(shape.lines, 1U);
  EXPECT_EQ(shape.passes, 0U);
}

TEST(RequestShape, AStrideOfTwoDoublesTheSectors) {
  const RequestShape shape = global(4, [](int lane) { return 2 * lane; });
  EXPECT_EQ(shape.sectors, 8U);
  EXPECT_EQ(shape.idealSectors, 4U);
  EXPECT_EQ(shape.lines, 2U);
}

TEST(RequestShape, AMisalignedWarpTouchesOneSectorMore) {
  EXPECT_EQ(global(4, [](int lane) { return lane + 1; }).sectors, 5U);
  EXPECT_EQ(global(4, [](int lane) { return lane + 8; }).sectors, 4U) << "aligned to a sector is enough";
}

TEST(RequestShape, TheOrderOfTheLanesMakesNoDifference) {
  EXPECT_EQ(global(4, [](int lane) { return 31 - lane; }).sectors, 4U);
  EXPECT_EQ(global(4, [](int lane) { return lane * 7 % 32; }).sectors, 4U);
}

TEST(RequestShape, OneElementForAllIsOneSector) {
  const RequestShape shape = global(4, [](int) { return 100; });
  EXPECT_EQ(shape.sectors, 1U);
  EXPECT_EQ(shape.idealSectors, 1U);
}

TEST(RequestShape, DoublesAreEightSectors) {
  EXPECT_EQ(global(8, [](int lane) { return lane; }).sectors, 8U);
  EXPECT_EQ(global(8, [](int lane) { return lane; }).idealSectors, 8U);
  EXPECT_EQ(global(1, [](int lane) { return lane; }).sectors, 1U);
}

TEST(RequestShape, AWarpOfACubicTileIsFourRows) {
  // Threads of an 8×8×8 block in a grid 64 wide: lane 8r + c reads row r, column c.
  const auto tile = [](std::int64_t column) {
    return [column](int lane) { return static_cast<std::int64_t>(lane / 8) * 64 + lane % 8 + column; };
  };
  EXPECT_EQ(global(4, tile(0)).sectors, 4U) << "each row is one whole sector";
  EXPECT_EQ(global(4, tile(0)).lines, 4U);
  EXPECT_EQ(global(4, tile(5)).sectors, 8U) << "each row spans two sectors";
  EXPECT_EQ(global(4, tile(5)).idealSectors, 4U);
}

TEST(RequestShape, OnlyActiveLanesCount) {
  const RequestShape shape = global(4, [](int lane) { return lane; }, 0x000000ffU);
  EXPECT_EQ(shape.lanes, 8U);
  EXPECT_EQ(shape.sectors, 1U);
  EXPECT_EQ(global(4, [](int lane) { return lane; }, 0), RequestShape{});
}

TEST(RequestShape, ARowOfSharedMemoryHasNoConflict) {
  const RequestShape shape = shared(4, [](int lane) { return lane; });
  EXPECT_EQ(shape.bankDegree, 1U);
  EXPECT_EQ(shape.passes, 1U);
  EXPECT_EQ(shape.idealPasses, 1U);
  EXPECT_EQ(shape.sectors, 0U);
}

TEST(RequestShape, AColumnOfATileThirtyTwoWideIsAConflictOfAll) {
  EXPECT_EQ(shared(4, [](int lane) { return lane * 32; }).bankDegree, 32U);
  EXPECT_EQ(shared(4, [](int lane) { return lane * 32; }).passes, 32U);
  EXPECT_EQ(shared(4, [](int lane) { return lane * 33; }).bankDegree, 1U) << "padded by one column";
  EXPECT_EQ(shared(4, [](int lane) { return lane * 2; }).bankDegree, 2U);
}

TEST(RequestShape, TheSameWordIsABroadcast) {
  EXPECT_EQ(shared(4, [](int) { return 5; }).bankDegree, 1U);
  EXPECT_EQ(shared(4, [](int lane) { return lane / 2; }).bankDegree, 1U);
  EXPECT_EQ(shared(1, [](int lane) { return lane; }).bankDegree, 1U) << "four bytes of one word";
  EXPECT_EQ(shared(4, [](int lane) { return lane % 2 == 0 ? 0 : 32; }).bankDegree, 2U);
}

TEST(RequestShape, DoublesAreServedHalfAWarpAtATime) {
  const RequestShape row = shared(8, [](int lane) { return lane; });
  EXPECT_EQ(row.bankDegree, 1U);
  EXPECT_EQ(row.passes, 2U);
  EXPECT_EQ(row.idealPasses, 2U);
  const RequestShape column = shared(8, [](int lane) { return lane * 16; });
  EXPECT_EQ(column.bankDegree, 16U);
  EXPECT_EQ(column.passes, 32U);
  const RequestShape half = shared(8, [](int lane) { return lane; }, 0xffff0000U);
  EXPECT_EQ(half.passes, 1U);
  EXPECT_EQ(half.idealPasses, 1U);
}

TEST(RequestShape, ConstantMemoryTakesAPassForEachAddress) {
  const auto constant = [](const std::function<std::int64_t(int)>& element) {
    return shapeOf(addresses([&](int lane) { return element(lane) * 4; }), kAllLanes, 4, MemorySpace::Constant);
  };
  EXPECT_EQ(constant([](int) { return 3; }).passes, 1U);
  EXPECT_EQ(constant([](int lane) { return lane % 5; }).passes, 5U);
  EXPECT_EQ(constant([](int lane) { return lane; }).passes, 32U);
}

TEST(RequestShapes, AnswersAsIfEachAccessWereComputedAlone) {
  // Typical strides at many positions, more than the cache has slots, with some lanes missing.
  std::mt19937_64 random(7);
  analysis::RequestShapes shapes;
  for (int i = 0; i < 20'000; ++i) {
    simt::MemoryAccess access{};
    access.space = std::array{MemorySpace::Global, MemorySpace::Shared, MemorySpace::Constant}[random() % 3];
    access.element = std::array{ValueType::I8, ValueType::F32, ValueType::F64}[random() % 3];
    access.lanes = random() % 4 != 0 ? kAllLanes : static_cast<LaneMask>(random()) | (1U << (random() % 32));
    const auto width = static_cast<std::int64_t>(1U << (random() % 6));
    const auto pitch = static_cast<std::int64_t>(32 + random() % 8);
    const auto begin = static_cast<std::int64_t>(random() % 4096);
    for (std::int64_t lane = 0; lane < kWarpSize; ++lane) {
      const bool takesPart = (access.lanes >> lane & 1U) != 0;
      access.index[static_cast<std::size_t>(lane)] =
          takesPart ? begin + lane / width * pitch + lane % width : static_cast<std::int64_t>(random());
    }
    ASSERT_EQ(shapes.of(access), shapeOf(access)) << "access " << i << " at element " << begin;
  }
}

TEST(RequestCounter, TotalsOfALaunch) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const ObjectId out = builder.global("out", ValueType::F32);
  const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::F32, {2048});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const StatementId copy = builder.statement();
  builder.store(tile, builder.mul(thread, builder.i32(32)), builder.load(in, thread));
  builder.beginIf(builder.less(thread, builder.i32(40)));
  const StatementId write = builder.statement();
  builder.store(out, builder.mul(thread, builder.i32(2)), builder.load(tile, builder.i32(0)));
  builder.endIf();
  const Program program = builder.build();

  Launch launch = launchOf(program, {6, 1, 1}, {64, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(64));
  launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(128));
  for (const unsigned workers : {1U, 3U}) {
    analysis::RequestCounter counter(program);
    const std::array<simt::Observer*, 1> observers{&counter};
    simt::execute(program, launch, observers, {.workers = workers});
    const analysis::MemoryRequests requests = counter.totals();
    // Six blocks of two warps: loads of 4 sectors per warp; stores with stride 2: 8 sectors for 32 lanes, 2 for the
    // last 8.
    EXPECT_EQ(requests.statements[copy].globalRequests, 12U);
    EXPECT_EQ(requests.statements[copy].sectors, 48U);
    EXPECT_EQ(requests.statements[copy].idealSectors, 48U);
    EXPECT_EQ(requests.statements[copy].bankDegreeMax, 32U);
    EXPECT_DOUBLE_EQ(requests.statements[copy].meanBankDegree(), 32.0);
    EXPECT_EQ(requests.statements[write].globalRequests, 12U);
    EXPECT_EQ(requests.statements[write].globalLanes, 6U * 40);
    EXPECT_EQ(requests.statements[write].sectors, 6U * (8 + 2));
    EXPECT_EQ(requests.statements[write].idealSectors, 6U * (4 + 1));
    EXPECT_DOUBLE_EQ(requests.statements[write].sectorEfficiency(), 0.5);
    EXPECT_EQ(requests.statements[write].bankDegreeMax, 1U);
    EXPECT_EQ(requests.all.sectors, 108U);
    EXPECT_DOUBLE_EQ(requests.all.sectorsPerRequest(), 4.5);
    EXPECT_EQ(requests.all.sharedPasses, 12U * 32 + 12);
    EXPECT_EQ(requests.all.constantRequests, 0U);
  }
}

}  // namespace
}  // namespace haloscope::test
