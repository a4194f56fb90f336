#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::test {
namespace {

using testing::HasSubstr;

/// out[i] = in[i] * scale, for i below n.
struct Scaling {
  Program program;
  ObjectId in = kNone;
  ObjectId out = kNone;

  Scaling() {
    ProgramBuilder builder;
    in = builder.global("in", ValueType::F32);
    out = builder.global("out", ValueType::F32);
    const RegisterId scale = builder.scalar("scale", ValueType::F32);
    const RegisterId n = builder.scalar("n", ValueType::U32);
    const RegisterId i = builder.variable("i", ValueType::U32);
    builder.statement();
    builder.assign(i, builder.add(builder.mul(builder.builtin(Builtin::BlockIdxX), builder.builtin(Builtin::BlockDimX)),
                                  builder.builtin(Builtin::ThreadIdxX)));
    builder.statement(StatementKind::Condition);
    builder.beginIf(builder.less(i, n));
    builder.statement();
    builder.store(out, i, builder.mul(builder.load(in, i), scale));
    builder.endIf();
    program = builder.build();
  }

  [[nodiscard]] Launch launch(std::uint32_t n, std::uint32_t block) const {
    Launch launch = launchOf(program, {(n + block - 1) / block, 1, 1}, {block, 1, 1});
    launch.arguments = {0, 0, std::bit_cast<std::uint32_t>(2.0F), n};
    std::vector<float> values;
    for (std::uint32_t i = 0; i < n; ++i) { values.push_back(static_cast<float>(i)); }
    launch.arrays[in] = arrayOf(ValueType::F32, values);
    launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(n));
    return launch;
  }
};

std::string refusal(const Program& program, Launch launch) {
  try {
    simt::execute(program, launch);
  } catch (const InputError& error) { return error.what(); }
  return "accepted";
}

TEST(SimtLaunch, RunsAGrid) {
  const Scaling scaling;
  Launch launch = scaling.launch(1000, 96);
  const simt::ExecuteResult result = simt::execute(scaling.program, launch);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished);
  EXPECT_EQ(result.blocks, 11U);
  EXPECT_EQ(result.threads, 11U * 96);
  const std::vector<float> out = valuesOf<float>(launch.arrays[scaling.out]);
  for (std::size_t i = 0; i < out.size(); ++i) { ASSERT_EQ(out[i], 2.0F * static_cast<float>(i)); }
}

TEST(SimtLaunch, ImpossibleLaunchesAreRefusedWithNumbers) {
  const Scaling scaling;
  const auto refused = [&](const std::function<void(Launch&)>& change) {
    Launch launch = scaling.launch(10, 32);
    change(launch);
    return refusal(scaling.program, launch);
  };
  EXPECT_EQ(refused([](Launch& l) { l.configuration.block = {32, 32, 2}; }),
            "block 32×32×2 has 2048 threads; a block can have at most 1024");
  EXPECT_EQ(refused([](Launch& l) { l.configuration.block = {1, 1, 65}; }),
            "block 1×1×65 is 65 threads deep; a block can be at most 64 deep");
  EXPECT_EQ(refused([](Launch& l) { l.configuration.block = {0, 1, 1}; }), "block 0×1×1 has no threads");
  EXPECT_EQ(refused([](Launch& l) { l.configuration.grid = {1, 0, 1}; }), "grid 1×0×1 has no blocks");
  EXPECT_THAT(refused([](Launch& l) { l.configuration.grid = {1, 65536, 1}; }), HasSubstr("too large"));
  EXPECT_EQ(refused([](Launch& l) { l.configuration.dynamicSharedBytes = 49153; }),
            "a block needs 49153 bytes of shared memory (0 declared, 49153 dynamic); it can have at most 49152");
  EXPECT_EQ(refused([](Launch& l) { l.arguments.pop_back(); }),
            "the kernel kernel has 4 parameters; the launch gives 3 arguments");
  EXPECT_EQ(refused([](Launch& l) { l.arrays.pop_back(); }), "the kernel kernel has 2 arrays; the launch gives 1");
  EXPECT_EQ(refused([](Launch& l) { l.arrays[1] = {}; }), "the array out has no data");
  EXPECT_EQ(refused([](Launch& l) { l.arrays[1].element = ValueType::F64; }),
            "the array out holds F32, but the launch gives F64");
  EXPECT_EQ(refused([](Launch& l) { l.arrays[1].bytes.resize(8); }), "the array out has 10 elements, but 8 bytes");
}

TEST(SimtLaunch, LocalArraysMayTakeWhatAGpuHas) {
  const auto refused = [](std::uint32_t threads) {
    ProgramBuilder builder;
    builder.object("own", MemorySpace::Local, ValueType::F32, {std::int64_t{32} << 10});
    const Program program = builder.build();
    return refusal(program, launchOf(program, {1, 1, 1}, {threads, 1, 1}));
  };
  EXPECT_EQ(refused(512), "accepted");
  EXPECT_EQ(refused(513), "the local arrays of a block's 513 threads take 65 MiB; they can have at most 64");
}

TEST(SimtLaunch, BlocksThatRunTogetherMayTakeWhatAMachineHas) {
  ProgramBuilder builder;
  builder.object("own", MemorySpace::Local, ValueType::F32, {std::int64_t{32} << 10});
  builder.emit({.op = Opcode::Barrier, .aux = static_cast<std::uint32_t>(BarrierKind::Grid)});
  const Program program = builder.build();
  EXPECT_THAT(refusal(program, launchOf(program, {8000, 1, 1}, {512, 1, 1})),
              HasSubstr("the registers and local arrays of 8000 blocks that run together take 512"));
}

TEST(SimtLaunch, AConstantArrayMustHaveItsDeclaredSize) {
  ProgramBuilder builder;
  const ObjectId c = builder.object("c", MemorySpace::Constant, ValueType::F32, {7});
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(program, launch), "the array c has no data");
  launch.arrays[c] = arrayOf(ValueType::F32, std::vector<float>(5));
  EXPECT_EQ(refusal(program, launch), "the array c is declared with 7 elements, but the launch gives 5");
}

TEST(SimtLaunch, TheNumberOfWorkersChangesNothing) {
  const Scaling scaling;
  simt::Profile profile;
  for (const unsigned workers : {1U, 2U, 3U, 8U, 64U}) {
    Launch launch = scaling.launch(999, 32);
    launch.arrays[scaling.out].bytes.resize(990 * 4);  // the last nine are outside
    launch.arrays[scaling.out].extents = {990};
    const simt::ExecuteResult result = simt::execute(scaling.program, launch, {}, {.workers = workers});
    EXPECT_EQ(result.outOfBounds, 9U);
    EXPECT_EQ(result.firstOutOfBoundsMessage,
              "out[990] is outside out[0..989], written by thread (30,0,0) of block (30,0,0)");
    if (profile.lanes.empty()) { profile = result.profile; }
    EXPECT_EQ(result.profile.lanes, profile.lanes);
    EXPECT_EQ(result.profile.warps, profile.warps);
    EXPECT_EQ(profile.lanes.back(), 32U * 32);
  }
}

/// Every block stores its number to the same elements. The first ones take longest, so that without an order they would
/// be the last to store.
TEST(SimtLaunch, BlocksThatStoreToOneElementGiveTheSameResultEveryTime) {
  ProgramBuilder builder;
  constexpr std::uint32_t kBlocks = 200;
  const ObjectId out = builder.global("out", ValueType::U32);
  const RegisterId turn = builder.variable("turn", ValueType::U32);
  builder.statement();
  builder.assign(turn, builder.mul(builder.builtin(Builtin::BlockIdxX), builder.constant(ValueType::U32, 100)));
  builder.beginLoop();
  builder.loopTest(builder.less(turn, builder.constant(ValueType::U32, kBlocks * 100)));
  builder.loopNext();
  builder.assign(turn, builder.add(turn, builder.constant(ValueType::U32, 1)));
  builder.endLoop();
  builder.store(out, builder.builtin(Builtin::ThreadIdxX), builder.builtin(Builtin::BlockIdxX));
  const Program program = builder.build();
  for (const unsigned workers : {1U, 2U, 4U, 4U, 4U}) {
    Launch launch = launchOf(program, {kBlocks, 1, 1}, {40, 1, 1});
    launch.arguments = {0};
    launch.arrays[out] = arrayOf(ValueType::U32, std::vector<std::uint32_t>(40));
    simt::ExecuteOptions options;
    options.workers = workers;
    const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
    EXPECT_EQ(result.blocks, kBlocks) << "each counts once, however often it was executed";
    for (std::int64_t i = 0; i < 40; ++i) {
      std::uint32_t value = 0;
      std::memcpy(&value, &launch.arrays[out].bytes[static_cast<std::size_t>(i) * 4], 4);
      EXPECT_EQ(value, kBlocks - 1) << workers << " workers, element " << i;
    }
  }
}

TEST(SimtLaunch, SomeBlocksOnly) {
  const Scaling scaling;
  Launch launch = scaling.launch(128, 32);
  simt::ExecuteOptions options;
  options.onlyBlocks = {2, 0};
  const simt::ExecuteResult result = simt::execute(scaling.program, launch, {}, options);
  EXPECT_EQ(result.blocks, 2U);
  const std::vector<float> out = valuesOf<float>(launch.arrays[scaling.out]);
  EXPECT_EQ(out[31], 62.0F);
  EXPECT_EQ(out[33], 0.0F);
  EXPECT_EQ(out[65], 130.0F);
  options.onlyBlocks = {4};
  EXPECT_THROW(simt::execute(scaling.program, launch, {}, options), InputError);
}

/// Counts blocks; throws at one of them on request.
class BlockCounter final : public simt::Observer {
 public:
  explicit BlockCounter(std::uint64_t bad) : bad_(bad) {}
  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<BlockCounter>(bad_); }
  void join(Observer& worker) override {
    auto& other = static_cast<BlockCounter&>(worker);
    began.insert(other.began.begin(), other.began.end());
    ended += other.ended;
  }
  void blockBegins(const Dim3&, std::uint64_t blockLinear) override {
    if (blockLinear == bad_) { throw std::runtime_error("this block is bad"); }
    began.insert(blockLinear);
  }
  void blockEnds(const Dim3&, std::uint64_t) override { ++ended; }

  std::set<std::uint64_t> began;
  std::uint64_t ended = 0;

 private:
  std::uint64_t bad_;
};

TEST(SimtLaunch, ObserversHearOfEveryBlockOnce) {
  const Scaling scaling;
  Launch launch = scaling.launch(5000, 32);
  BlockCounter counter(kNone);
  simt::Observer* const observers[] = {&counter};
  simt::execute(scaling.program, launch, observers, {.workers = 4});
  EXPECT_EQ(counter.began.size(), 157U);
  EXPECT_EQ(counter.ended, 157U);
}

TEST(SimtLaunch, WhatAnObserverThrowsReachesTheCaller) {
  const Scaling scaling;
  Launch launch = scaling.launch(5000, 32);
  BlockCounter counter(100);
  simt::Observer* const observers[] = {&counter};
  EXPECT_THROW(simt::execute(scaling.program, launch, observers, {.workers = 4}), std::runtime_error);
}

}  // namespace
}  // namespace haloscope::test
