#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ProgramBuilder.h"
#include "simt/Executor.h"
#include "simt/Observer.h"
#include "simt/Warp.h"

namespace haloscope::test {
namespace {

/// Logs one word for each notification.
class Protocol final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.statements = true, .instructions = false, .accesses = false}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Protocol>(); }
  void join(Observer& worker) override { text += static_cast<Protocol&>(worker).text; }
  void blockBegins(const Dim3& block, std::uint64_t) override { text += fmt::format("[{} ", block.x); }
  void blockEnds(const Dim3&, std::uint64_t) override { text += "] "; }
  void statement(const simt::WarpContext& context, StatementId statement) override {
    text += fmt::format("w{}:s{}@{} ", context.warp, statement, context.interval);
  }
  void barrierReached(const simt::WarpContext& context, std::uint32_t, LaneMask expected) override {
    text += fmt::format("w{}:{} ", context.warp, context.active == expected ? "barrier" : "part");
  }
  void barrierReleased(const Dim3&, std::uint32_t interval) override { text += fmt::format("release{} ", interval); }
  void turnEnds(const Dim3&, StatementId statement) override { text += fmt::format("end{} ", statement); }

  std::string text;
};

std::string protocolOf(const Program& program, Launch launch, simt::Schedule schedule,
                       simt::WarpOrder order = simt::WarpOrder::SideBySide, std::uint64_t seed = 0) {
  Protocol protocol;
  simt::Observer* const observers[] = {&protocol};
  simt::execute(program, launch, observers, {.schedule = schedule, .order = order, .orderSeed = seed, .workers = 1});
  return protocol.text;
}

/// Each thread writes its number to shared memory and reads its mirror image's after the barrier.
Program mirror(ObjectId& out) {
  ProgramBuilder builder;
  out = builder.global("out", ValueType::I32);
  const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::I32, {128});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const RegisterId size = builder.builtinInt(Builtin::BlockDimX);
  builder.statement();
  builder.store(tile, thread, thread);
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.statement();
  builder.store(out, thread, builder.load(tile, builder.sub(builder.sub(size, builder.i32(1)), thread)));
  return builder.build();
}

TEST(SimtBarrier, ValuesCrossABarrier) {
  ObjectId out = kNone;
  const Program program = mirror(out);
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    Launch launch = launchOf(program, {1, 1, 1}, {100, 1, 1});
    launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(100));
    EXPECT_EQ(simt::execute(program, launch, {}, {.schedule = schedule}).outcome, simt::Outcome::Finished);
    const auto values = valuesOf<std::int32_t>(launch.arrays[out]);
    for (std::int32_t i = 0; i < 100; ++i) { EXPECT_EQ(values[static_cast<std::size_t>(i)], 99 - i); }
  }
}

TEST(SimtBarrier, TheTwoSchedules) {
  ObjectId out = kNone;
  const Program program = mirror(out);
  Launch launch = launchOf(program, {1, 1, 1}, {64, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(64));
  EXPECT_EQ(protocolOf(program, launch, simt::Schedule::Barrier),
            "[0 w0:s0@0 w0:s1@0 w0:barrier w1:s0@0 w1:s1@0 w1:barrier release1 w0:s2@1 w1:s2@1 ] ");
  EXPECT_EQ(protocolOf(program, launch, simt::Schedule::Statement),
            "[0 w0:s0@0 w1:s0@0 end0 w0:s1@0 w0:barrier w1:s1@0 w1:barrier end1 release1 w0:s2@1 w1:s2@1 end2 ] ");
}

TEST(SimtBarrier, WarpsThatBranchDifferentlyMeetAgain) {
  ProgramBuilder builder;
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement(StatementKind::Condition);
  builder.beginIf(builder.less(thread, builder.i32(32)));
  builder.statement();  // 1: warp 0 only
  builder.beginElse();
  builder.statement();  // 2: warp 1 only
  builder.endIf();
  builder.statement();  // 3: both
  const Program program = builder.build();
  EXPECT_EQ(protocolOf(program, launchOf(program, {1, 1, 1}, {64, 1, 1}), simt::Schedule::Statement),
            "[0 w0:s0@0 w1:s0@0 end0 w0:s1@0 end1 w1:s2@0 end2 w0:s3@0 w1:s3@0 end3 ] ");
}

TEST(SimtBarrier, ThreadsThatLeftAreNotWaitedFor) {
  ProgramBuilder builder;
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement(StatementKind::Condition);
  builder.beginIf(builder.binary(Opcode::GreaterEqual, thread, builder.i32(40)));  // part of warp 1, all of warp 2
  builder.statement(StatementKind::Return);
  builder.control(Opcode::Return);
  builder.endIf();
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.statement();
  const Program program = builder.build();
  const Launch launch = launchOf(program, {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(protocolOf(program, launch, simt::Schedule::Barrier),
            "[0 w0:s0@0 w0:s2@0 w0:barrier w1:s0@0 w1:s1@0 w1:s2@0 w1:barrier w2:s0@0 w2:s1@0 release1 w0:s3@1 "
            "w1:s3@1 ] ");
  EXPECT_EQ(protocolOf(program, launch, simt::Schedule::Statement),
            "[0 w0:s0@0 w1:s0@0 w2:s0@0 end0 w1:s1@0 w2:s1@0 end1 w0:s2@0 w0:barrier w1:s2@0 w1:barrier end2 release1 "
            "w0:s3@1 w1:s3@1 end3 ] ");
}

TEST(SimtBarrier, InDivergentCodeItEndsTheRun) {
  ProgramBuilder builder;
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement(StatementKind::Condition);
  builder.beginIf(builder.less(thread, builder.i32(40)));
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.endIf();
  const Program program = builder.build();
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    Launch launch = launchOf(program, {2, 2, 1}, {64, 1, 1});
    const simt::ExecuteResult result = simt::execute(program, launch, {}, {.schedule = schedule});
    EXPECT_EQ(result.outcome, simt::Outcome::DivergentBarrier);
    EXPECT_EQ(result.block, 0U);
    EXPECT_EQ(result.where.line, 3);
    EXPECT_EQ(result.message,
              "the barrier at 3:1 is reached by only 8 of the 32 threads of warp 1 in block (0,0,0); "
              "thread (40,0,0) does not reach it");
    EXPECT_NE(protocolOf(program, launch, schedule).find("w1:part"), std::string::npos);
  }
}

TEST(SimtBarrier, AWholeWarpMaySkipOne) {
  ProgramBuilder builder;
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement(StatementKind::Condition);
  builder.beginIf(builder.less(thread, builder.i32(32)));
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.endIf();
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(simt::execute(program, launch).outcome, simt::Outcome::Finished);
}

TEST(SimtBarrier, TheRestOfAStatementAfterABarrierIsATurnOfItsOwn) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();  // 0: out[thread] = thread + synchronised()
  builder.call();
  builder.statement(StatementKind::Barrier);  // 1
  builder.control(Opcode::Barrier);
  builder.control(Opcode::EndCall);
  builder.store(out, thread, thread);
  builder.statement();  // 2
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {64, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(64));
  EXPECT_EQ(protocolOf(program, launch, simt::Schedule::Statement),
            "[0 w0:s0@0 w1:s0@0 end0 w0:s1@0 w0:barrier w1:s1@0 w1:barrier end1 release1 end1 w0:s2@1 w1:s2@1 end2 ] ");
}

/// Warps are switched at the barrier: a temporary computed before it must keep its value in each warp.
TEST(SimtBarrier, TemporariesSurviveABarrierInsideAnExpression) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();
  const RegisterId before = builder.mul(thread, builder.i32(3));
  builder.call();
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.control(Opcode::EndCall);
  builder.store(out, thread, before);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {256, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(256));
  simt::execute(program, launch);
  const auto values = valuesOf<std::int32_t>(launch.arrays[out]);
  for (std::int32_t i = 0; i < 256; ++i) { EXPECT_EQ(values[static_cast<std::size_t>(i)], 3 * i); }
}

/// Reads a warp's registers and masks at an If.
class Peek final : public simt::Observer {
 public:
  explicit Peek(RegisterId variable) : variable_(variable) {}
  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = true, .accesses = false}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Peek>(variable_); }
  void join(Observer& worker) override { *this = static_cast<Peek&>(worker); }
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override {
    if (instruction != ifAt) { return; }
    value = context.state->asFloat(variable_, 5);
    before = context.active;
    after = context.state->active();
    exited = context.exited;
    thread = context.state->threadIdx(5);
  }

  static constexpr std::uint32_t ifAt = 9;
  float value = 0;
  LaneMask before = 0;
  LaneMask after = 0;
  LaneMask exited = 0;
  Dim3 thread;

 private:
  RegisterId variable_;
};

TEST(SimtBarrier, ObserversSeeRegistersAndMasks) {
  ProgramBuilder builder;
  const RegisterId v = builder.variable("v", ValueType::F32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.beginIf(builder.less(thread, builder.i32(2)));
  builder.control(Opcode::Return);
  builder.endIf();
  builder.assign(v, builder.mul(builder.convert(thread, ValueType::F32), builder.f32(0.5F)));
  builder.beginIf(builder.binary(Opcode::NotEqual, v, builder.f32(2.0F)));
  builder.endIf();
  const Program program = builder.build();
  ASSERT_EQ(program.code[Peek::ifAt].op, Opcode::If);
  Peek peek(v);
  simt::Observer* const observers[] = {&peek};
  Launch launch = launchOf(program, {1, 1, 1}, {8, 2, 1});
  simt::execute(program, launch, observers);
  EXPECT_EQ(peek.value, 2.5F);
  EXPECT_EQ(peek.before, 0xfcfcU);
  EXPECT_EQ(peek.after, 0xececU);
  EXPECT_EQ(peek.exited, 0x0303U);
  EXPECT_EQ(peek.thread, (Dim3{5, 0, 0}));
}

}  // namespace
}  // namespace haloscope::test
