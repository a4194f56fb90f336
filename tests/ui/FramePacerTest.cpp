#include "FramePacer.h"

#include <gtest/gtest.h>

#include <limits>

#include "state/Player.h"
#include "tests/unit/RecordingSample.h"

// When the window wakes up to draw: by a clock that only moves while it sleeps.

namespace haloscope {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kPace = 1.0 / 60;

class FramePacerTest : public ::testing::Test {
 protected:
  FramePacerTest()
      : pacer_({.now = [this] { return now_; },
                .secondsToChange = [this] { return change_; },
                .sleep =
                    [this](double seconds) {
                      const bool event = now_ + seconds >= event_;
                      now_ = event ? event_ : now_ + seconds;
                      if (event) { event_ = kForever; }
                      return event;
                    },
                .closing = [this] { return now_ > kTooLong; }}) {}

  static constexpr double kTooLong = 1000;
  double now_ = 0;
  double change_ = FramePacer::kSleep;
  double event_ = kForever;
  FramePacer pacer_;
};

TEST_F(FramePacerTest, SleepsUntilAnEventWhereNothingChanges) {
  event_ = 7.25;
  EXPECT_TRUE(pacer_.wait(kPace, kForever));
  EXPECT_DOUBLE_EQ(now_, 7.25);
}

TEST_F(FramePacerTest, DrawsWhenSomethingMayHaveChanged) {
  change_ = 0.1;
  EXPECT_FALSE(pacer_.wait(kPace, kForever));
  EXPECT_NEAR(now_, 0.1, 1e-9);
  change_ = 0;
  EXPECT_FALSE(pacer_.wait(kPace, kForever));
  EXPECT_NEAR(now_, 0.1 + kPace, 1e-9) << "not faster than the display";
}

TEST_F(FramePacerTest, DrawsWhenAStepIsDueHoweverFarOff) {
  for (const double step : {0.05, 0.5, 0.7, 1.5, 20.0}) {
    const double begin = now_;
    EXPECT_FALSE(pacer_.wait(kPace, step));
    EXPECT_NEAR(now_ - begin, step, 1e-9);
  }
}

TEST_F(FramePacerTest, ALateFrameIsNoLeapButAPlannedWaitCounts) {
  EXPECT_DOUBLE_EQ(pacer_.passing(60), FramePacer::kLongestFrame);
  EXPECT_FALSE(pacer_.wait(kPace, 2));
  EXPECT_DOUBLE_EQ(pacer_.passing(2), 2);
  EXPECT_DOUBLE_EQ(pacer_.passing(60), 2 + FramePacer::kLongestFrame);
}

/// The window's loop without user input.
class PlayingWindow : public FramePacerTest {
 protected:
  void SetUp() override {
    cursor_ = recording::Cursor(test::RecordingSample().record());
    playback_.playing = true;
  }

  void runUntil(double end) {
    while (now_ < end) {
      const double begin = now_;
      pacer_.wait(kPace, secondsToNextStep(playback_, cursor_));
      play(playback_, cursor_, pacer_.passing(now_ - begin));
    }
  }

  recording::Cursor cursor_;
  Playback playback_;
};

TEST_F(PlayingWindow, TakesEachStepWhenItIsDue) {
  for (const double speed : {1.0, 0.02, 0.005}) {
    playback_.speed = speed;
    const std::size_t before = cursor_.position();
    const double begin = now_, step = secondsToNextStep(playback_, cursor_);
    runUntil(begin + 0.9 * step);
    EXPECT_EQ(cursor_.position(), before + 1);
    EXPECT_NEAR(now_ - begin, step, kPace);
  }
}

TEST_F(PlayingWindow, StartsAgainAfterTheEnd) {
  cursor_.goTo(cursor_.end() - 1);
  runUntil(0.9 * secondsToNextStep(playback_, cursor_));
  EXPECT_EQ(cursor_.position(), cursor_.end());
  const double begin = now_;
  runUntil(begin + 0.9 * kPauseAtEnd);
  EXPECT_EQ(cursor_.position(), 0U);
  EXPECT_NEAR(now_ - begin, kPauseAtEnd, kPace);
}

}  // namespace
}  // namespace haloscope
