#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ProgramBuilder.h"
#include "analysis/Counts.h"

namespace haloscope::test {
namespace {

TEST(Counts, FlopsBytesAndBarriersOfATile) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const ObjectId out = builder.global("out", ValueType::F64);
  const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::F32, {48});
  const ObjectId c = builder.object("c", MemorySpace::Constant, ValueType::F32, {2});
  const ObjectId window = builder.object("window", MemorySpace::Local, ValueType::I16, {2});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const StatementId copy = builder.statement();
  builder.store(tile, thread, builder.load(in, thread));
  const StatementId barrier = builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  const StatementId condition = builder.statement(StatementKind::Condition);
  builder.beginIf(builder.less(thread, builder.i32(20)));
  const StatementId compute = builder.statement();
  const RegisterId product = builder.mul(builder.load(c, builder.i32(0)), builder.load(tile, thread));
  const RegisterId sum = builder.ternary(Opcode::Fma, product, product, builder.unary(Opcode::Negate, product));
  builder.store(out, thread, builder.convert(sum, ValueType::F64));
  builder.endIf();
  const StatementId rest = builder.statement();
  builder.store(window, builder.i32(0), builder.constant(ValueType::I16, 3));
  const Program program = builder.build();

  Launch launch = launchOf(program, {3, 1, 1}, {48, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(48));
  launch.arrays[out] = arrayOf(ValueType::F64, std::vector<double>(48));
  launch.arrays[c] = arrayOf(ValueType::F32, std::vector<float>(2));
  simt::ExecuteResult result;
  const analysis::Counts counts = analysis::count(program, launch, {}, &result);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished);
  EXPECT_EQ(counts.flops, 3U * 20 * 3);
  EXPECT_EQ(counts.traffic.globalLoad, 3U * 48 * 4);
  EXPECT_EQ(counts.traffic.globalStore, 3U * 20 * 8);
  EXPECT_EQ(counts.traffic.sharedStore, 3U * 48 * 4);
  EXPECT_EQ(counts.traffic.sharedLoad, 3U * 20 * 4);
  EXPECT_EQ(counts.traffic.constantLoad, 3U * 20 * 4);
  EXPECT_EQ(counts.traffic.localStore, 3U * 48 * 2);
  EXPECT_EQ(counts.traffic.localLoad, 0U);
  EXPECT_EQ(counts.objects[out].stores, 60U);
  EXPECT_EQ(counts.objects[out].loads, 0U);
  EXPECT_EQ(counts.objects[in].loads, 144U);
  EXPECT_EQ(counts.objects[tile].loadBytes, 240U);
  EXPECT_EQ(counts.barriers, 6U);
  EXPECT_EQ(counts.threads, 144U);
  EXPECT_DOUBLE_EQ(counts.opPerLoadByte(), 60.0 / (48 * 4));
  EXPECT_DOUBLE_EQ(counts.opPerByte(), 60.0 / (48 * 4 + 20 * 8));

  EXPECT_EQ(counts.statements[copy].executions, 6U);
  EXPECT_EQ(counts.statements[copy].lanes, 144U);
  EXPECT_EQ(counts.statements[copy].traffic.globalLoad, 576U);
  EXPECT_DOUBLE_EQ(counts.statements[copy].laneEfficiency(), 0.75);
  EXPECT_EQ(counts.statements[barrier].executions, 6U);
  EXPECT_EQ(counts.statements[condition].flops, 0U);
  EXPECT_EQ(counts.statements[compute].executions, 3U);
  EXPECT_EQ(counts.statements[compute].lanes, 60U);
  EXPECT_EQ(counts.statements[compute].flops, 180U);
  EXPECT_EQ(counts.statements[compute].traffic.sharedLoad, 240U);
  EXPECT_EQ(counts.statements[rest].traffic.localStore, 288U);
  EXPECT_LT(counts.laneEfficiency(), 0.76);
}

TEST(Counts, PointersChosenWhenTheProgramRuns) {
  ProgramBuilder builder;
  const ObjectId a = builder.global("a", ValueType::F32);
  const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::F32, {64});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();
  const RegisterId chosen = builder.ternary(Opcode::Select, builder.less(thread, builder.i32(10)),
                                            builder.element(a, thread), builder.element(tile, thread));
  builder.storeTo(chosen, builder.f32(1.0F), ValueType::F32);
  const Program program = builder.build();
  EXPECT_TRUE(analysis::PointerCounter::needed(program));
  Launch launch = launchOf(program, {5, 1, 1}, {64, 1, 1});
  launch.arrays[a] = arrayOf(ValueType::F32, std::vector<float>(64));
  for (const unsigned workers : {1U, 3U}) {
    const analysis::Counts counts = analysis::count(program, launch, {.workers = workers});
    EXPECT_EQ(counts.traffic.globalStore, 5U * 10 * 4);
    EXPECT_EQ(counts.traffic.sharedStore, 5U * 54 * 4);
    EXPECT_EQ(counts.objects[tile].stores, 5U * 54);
    EXPECT_EQ(counts.statements[0].traffic.sharedStore, 5U * 54 * 4);
  }
}

TEST(Counts, AnAtomicIsALoadAndAStore) {
  ProgramBuilder builder;
  const ObjectId sum = builder.global("sum", ValueType::F32);
  builder.statement();
  builder.atomicAdd(sum, builder.i32(0), builder.f32(1.0F));
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  launch.arrays[sum] = arrayOf(ValueType::F32, std::vector<float>(1));
  const analysis::Counts counts = analysis::count(program, launch);
  EXPECT_EQ(counts.objects[sum].loads, 32U);
  EXPECT_EQ(counts.objects[sum].stores, 32U);
  EXPECT_EQ(counts.flops, 32U);
}

TEST(Counts, WhatFollowsACallBelongsToTheCaller) {
  ProgramBuilder builder;
  const RegisterId v = builder.variable("v", ValueType::F32);
  const StatementId caller = builder.statement();
  builder.call();
  const StatementId inside = builder.statement();
  builder.assign(v, builder.f32(1.0F));
  builder.control(Opcode::EndCall);
  builder.assign(v, builder.add(v, v));
  const Program program = builder.build();
  const std::vector<StatementId> statements = statementOfInstructions(program);
  EXPECT_EQ(statements, (std::vector<StatementId>{caller, caller, inside, inside, caller, caller, caller, caller}));
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  const analysis::Counts counts = analysis::count(program, launch);
  EXPECT_EQ(counts.statements[caller].flops, 32U);
  EXPECT_EQ(counts.statements[inside].flops, 0U);
}

}  // namespace
}  // namespace haloscope::test
