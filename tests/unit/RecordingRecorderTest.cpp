#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ProgramBuilder.h"
#include "analysis/Recorder.h"
#include "recording/BlockView.h"

namespace haloscope::analysis {
namespace {

using recording::Activity;
using recording::Change;
using recording::Origin;

/// 40 threads, a warp and a quarter, that copy values about:
///
///     1 curr = in[t];    2 a_s[t] = curr;    3 barrier         4 prev = curr;        5 curr = a_s[t];
///     6 mixed = t < 20 ? prev : 0.0f;        7 wide = (double)curr;
///     8 scaled = curr * w[0];                9 zero = 0.0f     10 own[0] = curr;     11 out[t] = scaled;
///     12 if (t < 20) 13 return;  14 t = t;
class RecordingRecorderTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kThreads = 40;

  RecordingRecorderTest() {
    test::ProgramBuilder build;
    const ObjectId in = in_ = build.global("in", ValueType::F32);
    const ObjectId out = out_ = build.global("out", ValueType::F32);
    const ObjectId tile = tile_ = build.object("a_s", MemorySpace::Shared, ValueType::F32, {kThreads});
    const ObjectId weights = build.object("w", MemorySpace::Constant, ValueType::F32, {1});
    const ObjectId own = own_ = build.object("own", MemorySpace::Local, ValueType::F32, {2});
    const auto variable = [&](const char* name, ValueType type) {
      variables_[name] = static_cast<VariableId>(2 + variables_.size());  // after the two parameters
      return build.variable(name, type);
    };
    const RegisterId t = variable("t", ValueType::I32);
    const RegisterId curr = variable("curr", ValueType::F32);
    const RegisterId prev = variable("prev", ValueType::F32);
    const RegisterId mixed = variable("mixed", ValueType::F32);
    const RegisterId wide = variable("wide", ValueType::F64);
    const RegisterId scaled = variable("scaled", ValueType::F32);
    const RegisterId zero = variable("zero", ValueType::F32);

    build.statement();
    build.assign(t, build.builtinInt(Builtin::ThreadIdxX));
    build.statement();
    build.assign(curr, build.load(in, t));
    build.statement();
    build.store(tile, t, curr);
    build.statement(StatementKind::Barrier);
    build.control(Opcode::Barrier);
    build.statement();
    build.assign(prev, curr);
    build.statement();
    build.assign(curr, build.load(tile, t));
    build.statement();
    build.assign(mixed, build.ternary(Opcode::Select, build.less(t, build.i32(20)), prev, build.f32(0)));
    build.statement();
    build.assign(wide, build.convert(curr, ValueType::F64));
    build.statement();
    build.assign(scaled, build.mul(curr, build.load(weights, build.i32(0))));
    build.statement();
    build.assign(zero, build.f32(0));
    build.statement();
    build.store(own, build.i32(0), curr);
    build.statement();
    build.store(out, t, scaled);
    build.statement(StatementKind::Condition);
    build.beginIf(build.less(t, build.i32(20)));
    build.statement(StatementKind::Return);
    build.control(Opcode::Return);
    build.endIf();
    build.statement();
    build.assign(t, t);
    const auto program = std::make_shared<const Program>(build.build());

    launch_ = test::launchOf(*program, {2, 1, 1}, {kThreads, 1, 1});
    launch_.arrays[in] = test::arrayOf(ValueType::F32, std::vector<float>(kThreads, 3.0F));
    launch_.arrays[out] = test::arrayOf(ValueType::F32, std::vector<float>(kThreads, 1.0F));
    launch_.arrays[weights] = test::arrayOf(ValueType::F32, std::vector<float>{2.0F});
    recording_ = record(program, launch_, {1, 0, 0});
    cursor_ = recording::Cursor(recording_);
    cursor_.goTo(cursor_.end());
  }

  [[nodiscard]] Origin origin(const std::string& variable, std::uint32_t thread) const {
    return cursor_.variable(variables_.at(variable))[thread].origin;
  }
  [[nodiscard]] const Change& firstChange(std::size_t step) const { return recording_->changesOf(step).front(); }

  ObjectId in_ = kNone, out_ = kNone, tile_ = kNone, own_ = kNone;
  std::map<std::string, VariableId> variables_;
  Launch launch_;
  std::shared_ptr<const recording::Recording> recording_;
  recording::Cursor cursor_;
};

TEST_F(RecordingRecorderTest, FollowsCopiesToTheirElement) {
  for (const std::uint32_t thread : {0U, 19U, 39U}) {
    const Origin element{Origin::Kind::Element, in_, thread};
    EXPECT_EQ(origin("curr", thread), element);
    EXPECT_EQ(origin("prev", thread), element);
    EXPECT_EQ(origin("wide", thread), element);
    EXPECT_EQ(cursor_.shared(tile_)[thread].origin, element);
    EXPECT_EQ(cursor_.shared(own_)[2 * thread].origin, element);
    EXPECT_EQ(cursor_.shared(own_)[2 * thread + 1].origin.kind, Origin::Kind::Unwritten);
    EXPECT_EQ(origin("scaled", thread).kind, Origin::Kind::Computed);
    EXPECT_EQ(origin("zero", thread).kind, Origin::Kind::Constant);
    EXPECT_EQ(origin("mixed", thread), thread < 20 ? element : (Origin{Origin::Kind::Constant, kNone, 0}));
  }
}

TEST_F(RecordingRecorderTest, RecordsTheOriginOfACopy) {
  EXPECT_EQ(firstChange(1).copiedFrom, Change::CopiedFrom::Global);
  EXPECT_EQ(firstChange(1).copiedId, in_);
  EXPECT_EQ(firstChange(2).copiedFrom, Change::CopiedFrom::Variable);
  EXPECT_EQ(firstChange(2).copiedId, variables_.at("curr"));
  EXPECT_EQ(firstChange(4).copiedFrom, Change::CopiedFrom::Variable);
  EXPECT_EQ(firstChange(5).copiedFrom, Change::CopiedFrom::Shared);
  EXPECT_EQ(firstChange(5).copiedId, tile_);
  EXPECT_EQ(firstChange(5).before, firstChange(5).after) << "a write even though the value does not change";
  EXPECT_EQ(firstChange(8).copiedFrom, Change::CopiedFrom::None);
  EXPECT_EQ(firstChange(9).copiedFrom, Change::CopiedFrom::None);
}

TEST_F(RecordingRecorderTest, NamesWhatEachStepDid) {
  const std::vector<Activity> expected{Activity::Control, Activity::Load,    Activity::Move,   Activity::Barrier,
                                       Activity::Move,    Activity::Move,    Activity::Move,   Activity::Move,
                                       Activity::Compute, Activity::Control, Activity::Move,   Activity::Output,
                                       Activity::Control, Activity::Control, Activity::Control};
  EXPECT_EQ(recording_->activities, expected);
}

TEST_F(RecordingRecorderTest, KeepsTheLanesOfEveryWarp) {
  ASSERT_EQ(recording_->warpCount(), 2U);
  const recording::WarpState& barrier = recording_->warpState(3, 1);
  EXPECT_EQ(barrier.active, 0xffU);
  EXPECT_EQ(barrier.waiting, 0xffU);
  EXPECT_EQ(barrier.exited, 0xffffff00U) << "24 lanes of the last warp never existed";
  EXPECT_EQ(recording_->warpState(4, 1).waiting, 0U);
  EXPECT_EQ(recording_->warpState(13, 0).active, 0xfffffU) << "the return";
  EXPECT_EQ(recording_->warpState(13, 0).exited, 0U);
  EXPECT_EQ(recording_->warpState(14, 0).exited, 0xfffffU);
  EXPECT_EQ(recording_->warpState(14, 0).active, 0xfff00000U);
}

TEST_F(RecordingRecorderTest, RemembersTheOutputAndLeavesTheLaunchAlone) {
  const recording::Cell* cell = cursor_.output(out_, 7);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(recording::formatValue(ValueType::F32, cell->bits), "6");
  EXPECT_EQ(recording::formatValue(ValueType::F32, firstChange(11).before), "1");
  EXPECT_EQ(test::valuesOf<float>(launch_.arrays[out_])[7], 1.0F);
}

TEST_F(RecordingRecorderTest, RefusesABlockWithTooManyValues) {
  test::ProgramBuilder build;
  build.object("own", MemorySpace::Local, ValueType::U8, {32'768});
  const auto program = std::make_shared<const Program>(build.build());
  EXPECT_NO_THROW(record(program, test::launchOf(*program, {1, 1, 1}, {32, 1, 1}), {0, 0, 0}));
  EXPECT_THROW(record(program, test::launchOf(*program, {1, 1, 1}, {513, 1, 1}), {0, 0, 0}), InputError);
}

TEST_F(RecordingRecorderTest, RefusesABlockOutsideTheGrid) {
  EXPECT_THROW(record(recording_->program, launch_, {2, 0, 0}), InputError);
}

}  // namespace
}  // namespace haloscope::analysis
