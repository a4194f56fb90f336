#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ProgramBuilder.h"
#include "program/BarrierRemoval.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

/// Warp orders, and kernels whose barrier is removed.
namespace haloscope::test {
namespace {

using simt::Schedule;
using simt::WarpOrder;

/// The order in which warps execute statements: "0a 1a 0b …", the statement as a letter.
class Turns final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.statements = true, .instructions = false, .accesses = false}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Turns>(); }
  void join(Observer& worker) override { text += static_cast<Turns&>(worker).text; }
  void statement(const simt::WarpContext& context, StatementId statement) override {
    text += fmt::format("{}{} ", context.warp, static_cast<char>('a' + statement));
  }
  std::string text;
};

/// Each thread writes its number plus one to shared memory and, after a barrier, copies its mirror image's to `out`.
struct Mirror {
  Mirror() {
    out = builder.global("out", ValueType::I32);
    const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::I32, {128});
    const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
    const RegisterId size = builder.builtinInt(Builtin::BlockDimX);
    builder.statement();
    builder.store(tile, thread, builder.add(thread, builder.i32(1)));
    builder.statement(StatementKind::Barrier);
    builder.control(Opcode::Barrier);
    builder.statement();
    builder.store(out, thread, builder.load(tile, builder.sub(builder.sub(size, builder.i32(1)), thread)));
    program = builder.build();
    for (const Instruction& instruction : program.code) {
      if (instruction.op == Opcode::Barrier) { barrierLine = instruction.range.line; }
    }
  }

  [[nodiscard]] Launch launch(std::uint32_t threads) const {
    Launch launch = launchOf(program, {1, 1, 1}, {threads, 1, 1});
    launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(threads));
    return launch;
  }

  ProgramBuilder builder;
  ObjectId out = kNone;
  Program program;
  int barrierLine = 0;
};

std::string turnsOf(const Program& program, Launch launch, Schedule schedule, WarpOrder order, std::uint64_t seed = 0) {
  Turns turns;
  simt::Observer* const observers[] = {&turns};
  simt::execute(program, launch, observers, {.schedule = schedule, .order = order, .orderSeed = seed, .workers = 1});
  return turns.text;
}

std::vector<std::int32_t> result(const Mirror& mirror, const Program& program, Schedule schedule, WarpOrder order) {
  Launch launch = mirror.launch(64);
  simt::execute(program, launch, {}, {.schedule = schedule, .order = order, .orderSeed = 7});
  return valuesOf<std::int32_t>(launch.arrays[mirror.out]);
}

TEST(WarpOrder, AWarpRunsAheadUntilTheBarrier) {
  const Mirror mirror;
  const Launch launch = mirror.launch(96);
  const auto turns = [&](WarpOrder order) { return turnsOf(mirror.program, launch, Schedule::Statement, order); };
  EXPECT_EQ(turns(WarpOrder::SideBySide), "0a 1a 2a 0b 1b 2b 0c 1c 2c ");
  EXPECT_EQ(turns(WarpOrder::InOrder), "0a 0b 1a 1b 2a 2b 0c 1c 2c ");
  EXPECT_EQ(turns(WarpOrder::Reversed), "2a 2b 1a 1b 0a 0b 2c 1c 0c ");
  EXPECT_EQ(turns(WarpOrder::Adversarial), "2a 2b 1a 1b 0a 0b 0c 1c 2c ");
  EXPECT_EQ(turnsOf(mirror.program, launch, Schedule::Barrier, WarpOrder::Reversed), turns(WarpOrder::Reversed));
}

TEST(WarpOrder, RandomIsRepeatableAndDependsOnItsSeed) {
  const Mirror mirror;
  const Launch launch = mirror.launch(256);
  for (const Schedule schedule : {Schedule::Statement, Schedule::Barrier}) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const std::string turns = turnsOf(mirror.program, launch, schedule, WarpOrder::Random, seed);
      EXPECT_EQ(turns, turnsOf(mirror.program, launch, schedule, WarpOrder::Random, seed));
      EXPECT_EQ(turns.size(), 3U * 8 * 3) << "every warp executes every statement once";
      seen.insert(turns);
    }
    EXPECT_GT(seen.size(), 6U);
  }
}

TEST(WarpOrder, NoOrderChangesWhatASynchronisedKernelComputes) {
  const Mirror mirror;
  for (const Schedule schedule : {Schedule::Statement, Schedule::Barrier}) {
    for (const WarpOrder order :
         {WarpOrder::SideBySide, WarpOrder::InOrder, WarpOrder::Reversed, WarpOrder::Random, WarpOrder::Adversarial}) {
      const auto values = result(mirror, mirror.program, schedule, order);
      for (std::int32_t i = 0; i < 64; ++i) { ASSERT_EQ(values[static_cast<std::size_t>(i)], 64 - i); }
    }
  }
}

TEST(WarpOrder, WithoutItsBarrierAWarpThatRunsAheadReadsWhatIsNotThereYet) {
  const Mirror mirror;
  ASSERT_GT(mirror.barrierLine, 0);
  const Program racing = withoutBarriers(mirror.program, {mirror.barrierLine});
  EXPECT_EQ(racing.code.size(), mirror.program.code.size() - 1);
  EXPECT_EQ(racing.statements.size(), mirror.program.statements.size()) << "the line is still executed";

  EXPECT_EQ(result(mirror, racing, Schedule::Statement, WarpOrder::SideBySide)[0], 64) << "lockstep hides the race";
  for (const Schedule schedule : {Schedule::Statement, Schedule::Barrier}) {
    const auto inOrder = result(mirror, racing, schedule, WarpOrder::InOrder);
    EXPECT_EQ(inOrder[0], -1) << "warp 1 has not written yet: poison";
    EXPECT_EQ(inOrder[63], 1) << "warp 0 has";
    const auto reversed = result(mirror, racing, schedule, WarpOrder::Reversed);
    EXPECT_EQ(reversed[0], 64);
    EXPECT_EQ(reversed[63], -1);
  }
}

TEST(WarpOrder, ALineWithoutABarrierTakesNothingOut) {
  const Mirror mirror;
  EXPECT_EQ(print(withoutBarriers(mirror.program, {mirror.barrierLine + 100})), print(mirror.program));
}

/// Jumps over the removed barrier keep their targets: a loop with a barrier in an enclosing branch.
TEST(WarpOrder, JumpsFindTheirEndsWithoutTheBarrier) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();
  builder.beginIf(builder.less(thread, builder.i32(64)));
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.statement();
  builder.store(out, thread, builder.i32(1));
  builder.beginElse();
  builder.statement();
  builder.store(out, thread, builder.i32(2));
  builder.endIf();
  const Program program = builder.build();
  int line = 0;
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Opcode::Barrier) { line = instruction.range.line; }
  }
  const Program without = withoutBarriers(program, {line});
  Launch launch = launchOf(without, {1, 1, 1}, {96, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(96));
  EXPECT_EQ(simt::execute(without, launch).outcome, simt::Outcome::Finished);
  const auto values = valuesOf<std::int32_t>(launch.arrays[out]);
  for (std::size_t i = 0; i < 96; ++i) { EXPECT_EQ(values[i], i < 64 ? 1 : 2); }
}

}  // namespace
}  // namespace haloscope::test
