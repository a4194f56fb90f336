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
using analysis::LaneRequest;
using analysis::RequestEffect;
using analysis::RequestShape;
using analysis::shapeOf;

LaneAddresses addresses(const std::function<std::int64_t(int)>& ofLane) {
  LaneAddresses at{};
  for (int lane = 0; lane < kWarpSize; ++lane) { at[static_cast<std::size_t>(lane)] = ofLane(lane); }
  return at;
}

RequestShape global(int bytes, const std::function<std::int64_t(int)>& element, LaneMask lanes = kAllLanes,
                    RequestEffect effect = RequestEffect::Load) {
  return shapeOf(addresses([&](int lane) { return element(lane) * bytes; }), lanes, {bytes, effect},
                 MemorySpace::Global);
}

RequestShape shared(int bytes, const std::function<std::int64_t(int)>& element, LaneMask lanes = kAllLanes,
                    RequestEffect effect = RequestEffect::Load) {
  return shapeOf(addresses([&](int lane) { return element(lane) * bytes; }), lanes, {bytes, effect},
                 MemorySpace::Shared);
}

TEST(RequestShape, ContiguousFloatsAreFourSectors) {
  const RequestShape shape = global(4, [](int lane) { return lane; });
  EXPECT_EQ(shape.lanes, 32U);
  EXPECT_EQ(shape.sectors, 4U);
  EXPECT_EQ(shape.idealSectors, 4U);
  EXPECT_EQ(shape.lines, 1U);
  EXPECT_EQ(shape.passes, 0U);
}

/// What an H200 counted for copies of 16 bytes from `from` bytes to 16 bytes a lane (tests/gpu/requests/copies).
TEST(RequestShape, AnAsynchronousCopyOf16BytesCountsTheSectorsThatEachLineFills) {
  const auto copied = [](const std::function<std::int64_t(int)>& from, LaneMask lanes = kAllLanes, int to = 0) {
    return analysis::sectorsCopied(addresses(from), addresses([&](int lane) { return 16 * lane + to; }), lanes);
  };
  const auto contiguous = [](int lane) { return 16 * lane; };
  EXPECT_EQ(copied(contiguous), 16U);
  EXPECT_EQ(copied([](int lane) { return 16 * lane + 16; }), 20U);
  EXPECT_EQ(copied(contiguous, kAllLanes, 16), 20U);
  EXPECT_EQ(copied([](int lane) { return 32 * lane; }), 16U) << "half of each sector";
  EXPECT_EQ(copied([](int) { return 0; }), 16U) << "all lanes the same";
  EXPECT_EQ(copied([](int lane) { return 128 * lane; }, 0x01010101), 4U);
  EXPECT_EQ(copied([](int lane) { return 128 * lane + 16; }, 0x80808080), 4U);
  EXPECT_EQ(copied(contiguous, 0x03030303), 4U);
  EXPECT_EQ(copied([](int lane) { return 128 * lane; }, 0x03030303), 8U);
  EXPECT_EQ(copied([](int lane) { return 16 * lane + 16; }, 0x11111111), 8U);
  EXPECT_EQ(copied(contiguous, 0x80000001), 2U);
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

TEST(RequestShape, AVectorIsOneRequest) {
  const auto inOrder = [](int lane) { return lane; };
  EXPECT_EQ(global(8, inOrder).sectors, 8U);
  EXPECT_EQ(global(16, inOrder).sectors, 16U);
  EXPECT_EQ(global(16, inOrder).idealSectors, 16U);
  EXPECT_EQ(global(16, inOrder).lines, 4U);
  EXPECT_EQ(global(16, [](int lane) { return 2 * lane; }).sectors, 32U);
  EXPECT_EQ(global(16, [](int) { return 7; }).sectors, 1U);
}

/// Passes of a load and of a store, as an H200 counts them.
struct Passes {
  std::uint32_t load = 0, store = 0;
  bool operator==(const Passes&) const = default;
};

Passes sharedPasses(int bytes, const std::function<std::int64_t(int)>& element, LaneMask lanes = kAllLanes) {
  return {shared(bytes, element, lanes, RequestEffect::Load).passes,
          shared(bytes, element, lanes, RequestEffect::Store).passes};
}

TEST(RequestShape, WideElementsOfSharedMemoryAreServedAsOnAnH200) {
  struct Measured {
    const char* pattern;
    std::function<std::int64_t(int)> element;
    Passes eight, sixteen;
    LaneMask lanes = kAllLanes;
  };
  const std::vector<Measured> all = {
      {"i", [](int i) { return i; }, {2, 2}, {4, 4}},
      {"0", [](int) { return 0; }, {1, 2}, {2, 4}},
      {"i / 2", [](int i) { return i / 2; }, {1, 2}, {2, 4}},
      {"i / 8", [](int i) { return i / 8; }, {1, 2}, {2, 4}},
      {"i % 2", [](int i) { return i % 2; }, {1, 2}, {2, 4}},
      {"i % 4", [](int i) { return i % 4; }, {2, 2}, {4, 4}},
      {"i % 16", [](int i) { return i % 16; }, {2, 2}, {4, 4}},
      {"2 i", [](int i) { return 2 * i; }, {4, 4}, {8, 8}},
      {"4 i", [](int i) { return 4 * i; }, {8, 8}, {16, 16}},
      {"16 i", [](int i) { return 16 * i; }, {32, 32}, {32, 32}},
      {"17 i", [](int i) { return 17 * i; }, {2, 2}, {4, 4}},
      {"i % 2 * 16", [](int i) { return i % 2 * 16; }, {2, 4}, {4, 8}},
      {"i % 4 * 8", [](int i) { return i % 4 * 8; }, {4, 4}, {16, 16}},
      {"i < 16 ? 0 : 16", [](int i) { return i < 16 ? 0 : 16; }, {2, 2}, {2, 4}},
      {"i / 4 * 4", [](int i) { return i / 4 * 4; }, {2, 2}, {4, 4}},
      {"the lower half", [](int i) { return i; }, {1, 1}, {2, 2}, 0x0000ffffU},
      {"lane 0", [](int i) { return i; }, {1, 1}, {1, 1}, 1U},
      {"even lanes", [](int i) { return i; }, {2, 2}, {4, 4}, 0x55555555U},
  };
  for (const Measured& one : all) {
    EXPECT_EQ(sharedPasses(8, one.element, one.lanes), one.eight) << one.pattern;
    EXPECT_EQ(sharedPasses(16, one.element, one.lanes), one.sixteen) << one.pattern;
  }
  EXPECT_EQ(shared(16, [](int i) { return i; }).bankDegree, 1U);
  EXPECT_EQ(shared(16, [](int i) { return i; }).idealPasses, 4U);
  EXPECT_EQ(shared(16, [](int) { return 0; }).idealPasses, 2U);
}

TEST(RequestShape, AtomicsAreServedAsOnAnH200) {
  struct Measured {
    const char* pattern;
    std::function<std::int64_t(int)> element;
    std::uint32_t sharedInt, sharedFloat, sharedLong, globalInt, globalLong;
    LaneMask lanes = kAllLanes;
  };
  const std::vector<Measured> all = {
      {"i", [](int i) { return i; }, 1, 2, 4, 4, 8},
      {"0", [](int) { return 0; }, 32, 64, 64, 32, 32},
      {"i / 2", [](int i) { return i / 2; }, 2, 4, 8, 4, 8},
      {"i / 4", [](int i) { return i / 4; }, 4, 8, 16, 4, 8},
      {"i % 2", [](int i) { return i % 2; }, 16, 32, 32, 16, 16},
      {"i % 2 * 32", [](int i) { return i % 2 * 32; }, 32, 64, 64, 32, 32},
      {"2 i", [](int i) { return 2 * i; }, 2, 4, 8, 8, 16},
      {"32 i % 600", [](int i) { return 32 * i % 600; }, 19, 38, 58, 32, 32},
      {"8 i", [](int i) { return 8 * i; }, 8, 16, 32, 32, 32},
      {"i / 16", [](int i) { return i / 16; }, 16, 32, 64, 16, 16},
      {"0 in the lower half", [](int) { return 0; }, 16, 32, 32, 16, 16, 0x0000ffffU},
      {"lane 0", [](int) { return 0; }, 1, 2, 2, 1, 1, 1U},
  };
  for (const Measured& one : all) {
    EXPECT_EQ(shared(4, one.element, one.lanes, RequestEffect::Atomic).passes, one.sharedInt) << one.pattern;
    EXPECT_EQ(shared(4, one.element, one.lanes, RequestEffect::AtomicLoop).passes, one.sharedFloat) << one.pattern;
    EXPECT_EQ(shared(8, one.element, one.lanes, RequestEffect::AtomicLoop).passes, one.sharedLong) << one.pattern;
    EXPECT_EQ(global(4, one.element, one.lanes, RequestEffect::Atomic).sectors, one.globalInt) << one.pattern;
    EXPECT_EQ(global(8, one.element, one.lanes, RequestEffect::AtomicLoop).sectors, one.globalLong) << one.pattern;
  }
  EXPECT_EQ(shared(4, [](int) { return 0; }, kAllLanes, RequestEffect::Atomic).bankDegree, 32U);
}

TEST(RequestShape, ConstantMemoryTakesAPassForEachAddress) {
  const auto constant = [](const std::function<std::int64_t(int)>& element) {
    return shapeOf(addresses([&](int lane) { return element(lane) * 4; }), kAllLanes, {}, MemorySpace::Constant);
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
    const LaneRequest request{.bytes = sizeInMemory(access.element) * (random() % 2 == 0 ? 1 : 2),
                              .effect = static_cast<RequestEffect>(random() % 4)};
    ASSERT_EQ(shapes.of(access, request), shapeOf(access, request)) << "access " << i << " at element " << begin;
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
    EXPECT_EQ(requests.statements[write].bankDegreeMax, 1U);
    EXPECT_EQ(requests.all.sectors, 108U);
    EXPECT_DOUBLE_EQ(requests.all.sectorsPerRequest(), 4.5);
    EXPECT_EQ(requests.all.sharedPasses, 12U * 32 + 12);
    EXPECT_EQ(requests.all.constantRequests, 0U);
  }
}

}  // namespace
}  // namespace haloscope::test
