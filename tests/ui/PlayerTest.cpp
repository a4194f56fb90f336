#include "state/Player.h"

#include <gtest/gtest.h>

#include "recording/Pace.h"
#include "tests/unit/RecordingSample.h"

namespace haloscope {
namespace {

using test::RecordingSample;

class Player : public ::testing::Test {
 protected:
  void SetUp() override {
    cursor_ = recording::Cursor(RecordingSample().record());
    playback_.playing = true;
  }

  recording::Cursor cursor_;
  Playback playback_;
};

TEST_F(Player, ShowsEachStepAsLongAsItTakes) {
  for (std::size_t position = 0; position < cursor_.end(); ++position) {
    const double due = secondsToNextStep(playback_, cursor_);
    EXPECT_GT(due, 0);
    EXPECT_FALSE(play(playback_, cursor_, 0.9 * due));
    EXPECT_NEAR(secondsToNextStep(playback_, cursor_), 0.1 * due, 1e-9);
    EXPECT_TRUE(play(playback_, cursor_, 0.1 * due + 1e-9));
    ASSERT_EQ(cursor_.position(), position + 1);
  }
}

TEST_F(Player, TwiceAsFastTakesHalfAsLong) {
  const double due = secondsToNextStep(playback_, cursor_);
  playback_.speed = 2;
  EXPECT_NEAR(secondsToNextStep(playback_, cursor_), due / 2, 1e-12);
  EXPECT_TRUE(play(playback_, cursor_, due / 2 + 1e-9));
}

TEST_F(Player, AnIntervalTakesFourSecondsAtMost) {
  const recording::Recording& recording = cursor_.recording();
  for (const recording::Interval& interval : recording.intervals) {
    double seconds = 0;
    for (std::size_t step = interval.firstStep; step < interval.endStep; ++step) {
      seconds += recording::secondsOf(recording, step);
      EXPECT_LE(recording::secondsOf(recording, step), recording::secondsOf(recording.activities[step]));
    }
    EXPECT_LE(seconds, recording::kLongestInterval + 1e-9);
  }
}

TEST_F(Player, DoesNothingWhilePaused) {
  playback_.playing = false;
  EXPECT_FALSE(play(playback_, cursor_, 10));
  EXPECT_TRUE(cursor_.atStart());
}

TEST_F(Player, RestsAtTheEndAndStartsAgain) {
  EXPECT_TRUE(play(playback_, cursor_, 1000));
  EXPECT_EQ(cursor_.position(), cursor_.end());
  EXPECT_FALSE(play(playback_, cursor_, kPauseAtEnd * 0.9));
  EXPECT_EQ(cursor_.position(), cursor_.end());
  EXPECT_TRUE(play(playback_, cursor_, kPauseAtEnd * 0.2));
  EXPECT_TRUE(cursor_.atStart());
}

TEST_F(Player, ContinuesAtOnceWhenTheUserLeavesTheEnd) {
  play(playback_, cursor_, 1000);
  cursor_.goTo(3);
  play(playback_, cursor_, 0.01);
  EXPECT_TRUE(play(playback_, cursor_, 1));
  EXPECT_GT(cursor_.position(), 3U);
}

TEST_F(Player, AnEmptyCursorStaysEmpty) {
  recording::Cursor none;
  EXPECT_FALSE(play(playback_, none, 1));
}

TEST_F(Player, FindsTheSamePlaceInAnotherRecordingOfTheKernel) {
  const auto other = RecordingSample().record();
  EXPECT_EQ(correspondingPosition(cursor_, *other), 0U);
  for (std::size_t position = 1; position < cursor_.end(); ++position) {
    cursor_.goTo(position);
    const std::size_t found = correspondingPosition(cursor_, *other);
    ASSERT_GT(found, 0U);
    EXPECT_EQ(other->steps[found - 1].interval, cursor_.current()->interval);
    EXPECT_EQ(other->program->statements[other->steps[found - 1].statement].range,
              cursor_.recording().program->statements[cursor_.current()->statement].range);
  }
  cursor_.goTo(cursor_.end());
  EXPECT_EQ(correspondingPosition(cursor_, *other), other->steps.size());
}

TEST_F(Player, AShorterRecordingHasItsLastInterval) {
  recording::Recording shorter = *RecordingSample().record();
  shorter.intervals.resize(2);
  cursor_.goTo(cursor_.end() - 1);
  const std::size_t found = correspondingPosition(cursor_, shorter);
  EXPECT_EQ(shorter.steps[found - 1].interval, 1U);
}

}  // namespace
}  // namespace haloscope
