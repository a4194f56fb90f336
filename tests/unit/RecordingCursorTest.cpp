#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "RecordingSample.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"

namespace haloscope::recording {
namespace {

using test::RecordingSample;

/// Everything that a cursor shows at its position.
struct Snapshot {
  std::vector<Cell> tile, own, n, i;
  std::vector<std::int64_t> written;
  std::vector<std::optional<Cell>> outputs;
  bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot(const Cursor& cursor) {
  Snapshot now{cursor.shared(RecordingSample::kTile), cursor.shared(RecordingSample::kOwn),
               cursor.variable(RecordingSample::kN),  cursor.variable(RecordingSample::kI),
               cursor.written(RecordingSample::kOut), {}};
  for (std::int64_t element = 0; element < 36; ++element) {
    const Cell* cell = cursor.output(RecordingSample::kOut, element);
    now.outputs.push_back(cell ? std::optional(*cell) : std::nullopt);
  }
  return now;
}

class RecordingCursorTest : public testing::Test {
 protected:
  std::shared_ptr<const Recording> recording_ = RecordingSample().record();
  Cursor cursor_{recording_};
};

TEST_F(RecordingCursorTest, ShowsTheSameFromEitherSide) {
  std::vector<Snapshot> forward;
  for (std::size_t position = 0; position <= cursor_.end(); ++position) {
    cursor_.goTo(position);
    forward.push_back(snapshot(cursor_));
  }
  for (std::size_t position = cursor_.end() + 1; position-- > 0;) {
    cursor_.goTo(position);
    EXPECT_EQ(snapshot(cursor_), forward[position]) << "position " << position;
    Cursor fresh(recording_);
    fresh.goTo(position);
    EXPECT_EQ(snapshot(fresh), forward[position]) << "position " << position;
  }
}

TEST_F(RecordingCursorTest, StartsWithArgumentsOnly) {
  EXPECT_EQ(cursor_.current(), nullptr);
  const Cell& n = cursor_.variable(RecordingSample::kN)[5];
  EXPECT_EQ(n.bits, 7U);
  EXPECT_EQ(n.origin.kind, Origin::Kind::Constant);
  EXPECT_EQ(cursor_.variable(RecordingSample::kI)[5].origin.kind, Origin::Kind::Unwritten);
  EXPECT_EQ(cursor_.output(RecordingSample::kOut, 0), nullptr);
}

TEST_F(RecordingCursorTest, KnowsWhatAGlobalElementHeldBefore) {
  for (const Change& change : recording_->changes) {
    if (change.kind == Change::Kind::Global && change.writtenAtBefore == kNone) {
      EXPECT_EQ(change.before, 0x40404040U);
    }
  }
}

TEST_F(RecordingCursorTest, StaysWithinTheRecording) {
  cursor_.step(1000000);
  EXPECT_EQ(cursor_.position(), cursor_.end());
  cursor_.step(-1000000);
  EXPECT_TRUE(cursor_.atStart());
  cursor_.goTo(1000000);
  EXPECT_EQ(cursor_.position(), cursor_.end());
}

TEST_F(RecordingCursorTest, CutsPlanesAtTheLoopCondition) {
  // Steps: 0 init, then per iteration: condition, store, barrier, output, increment; finally the failing condition.
  ASSERT_EQ(recording_->planes.size(), 4U);
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    const Plane& plane = recording_->planes[turn];
    EXPECT_EQ(plane.firstStep, 1 + 5 * turn);
    EXPECT_EQ(plane.endStep, 6 + 5 * turn);
    EXPECT_EQ(plane.variable, "i");
    EXPECT_EQ(plane.value, 2 + turn);
  }
  EXPECT_EQ(recording_->steps[0].plane, kNone);
  EXPECT_EQ(recording_->steps.back().plane, kNone);
}

TEST_F(RecordingCursorTest, MovesByPlane) {
  cursor_.nextPlane();
  EXPECT_EQ(cursor_.position(), 2U);
  cursor_.nextPlane();
  EXPECT_EQ(cursor_.position(), 7U);
  cursor_.step(2);
  cursor_.previousPlane();
  EXPECT_EQ(cursor_.position(), 7U) << "first to the start of the current plane";
  cursor_.previousPlane();
  EXPECT_EQ(cursor_.position(), 2U);
  cursor_.previousPlane();
  EXPECT_TRUE(cursor_.atStart());
  cursor_.goToPlane(3);
  EXPECT_EQ(cursor_.position(), 17U);
  cursor_.nextPlane();
  EXPECT_EQ(cursor_.position(), cursor_.end());
}

TEST_F(RecordingCursorTest, MovesByInterval) {
  ASSERT_EQ(recording_->intervals.size(), 5U);
  cursor_.nextInterval();
  EXPECT_EQ(cursor_.position(), 1U);
  cursor_.nextInterval();
  EXPECT_EQ(cursor_.current()->interval, 1U);
  EXPECT_EQ(cursor_.current()->statement, 5U);
  cursor_.step(1);
  cursor_.previousInterval();
  EXPECT_EQ(cursor_.current()->statement, 5U);
  cursor_.goToInterval(4);
  EXPECT_EQ(cursor_.current()->interval, 4U);
  cursor_.nextInterval();
  EXPECT_EQ(cursor_.position(), cursor_.end());
}

TEST_F(RecordingCursorTest, FindsLinesRoundTheEnd) {
  EXPECT_TRUE(cursor_.goToLine(7));
  EXPECT_EQ(cursor_.position(), 5U);
  EXPECT_TRUE(cursor_.goToLine(7));
  EXPECT_EQ(cursor_.position(), 10U);
  EXPECT_TRUE(cursor_.goToLine(5));
  EXPECT_EQ(cursor_.position(), 13U);
  EXPECT_TRUE(cursor_.goToLine(3)) << "only the first step: wraps around";
  EXPECT_EQ(cursor_.position(), 1U);
  EXPECT_TRUE(cursor_.goToLine(7, false)) << "backwards, past the start";
  EXPECT_EQ(cursor_.position(), 20U);
  EXPECT_TRUE(cursor_.goToLine(7, false));
  EXPECT_EQ(cursor_.position(), 15U);
  EXPECT_FALSE(cursor_.goToLine(99));
  EXPECT_EQ(cursor_.position(), 15U);
}

TEST_F(RecordingCursorTest, SearchesBackwardsFromTheStart) {
  EXPECT_TRUE(cursor_.goToLine(4, false));
  EXPECT_EQ(cursor_.position(), cursor_.end());
}

TEST_F(RecordingCursorTest, ShowsAThreadsValuesWithThePast) {
  cursor_.goTo(6);  // ++i of the first iteration
  const std::vector<ThreadValue> values = threadValues(cursor_, 40);
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[1].name, "i");
  EXPECT_EQ(values[1].text, "3");
  EXPECT_TRUE(values[1].changed);
  EXPECT_EQ(values[1].before, 2U);
  EXPECT_TRUE(values[1].inScope);
  EXPECT_FALSE(values[0].changed);
  cursor_.goTo(0);
  EXPECT_EQ(threadValues(cursor_, 40)[1].text, "unwritten");
  EXPECT_FALSE(threadValues(cursor_, 40)[1].inScope);
}

TEST_F(RecordingCursorTest, NamesWhatEachStepDid) {
  EXPECT_EQ(recording_->activities[3], Activity::Barrier);
  EXPECT_EQ(recording_->activities[0], Activity::Control);
}

}  // namespace
}  // namespace haloscope::recording
