#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "RecordingSample.h"
#include "recording/BlockTally.h"
#include "recording/Lockstep.h"

namespace haloscope::recording {
namespace {

/// Sections of these lengths, one after the other.
Lockstep::Sections lasting(const std::vector<std::uint32_t>& lengths) {
  Lockstep::Sections sections;
  std::uint32_t step = 0;
  for (const std::uint32_t length : lengths) {
    sections.push_back({step, step + length});
    step += length;
  }
  return sections;
}

/// A kernel without a barrier, one that loads a tile and computes, one that moves through planes.
class RecordingLockstep : public ::testing::Test {
 protected:
  static constexpr std::size_t kBasic = 0, kTiled = 1, kCoarsened = 2;
  Lockstep time_{{lasting({5}), lasting({9, 3}), lasting({4, 6, 2, 7})}};
};

TEST_F(RecordingLockstep, ASectionLastsAsLongAsItsLongestTrack) {
  EXPECT_EQ(time_.end(), 9U + 6U + 2U + 7U);
  EXPECT_EQ(time_.sectionCount(), 4U);
}

TEST_F(RecordingLockstep, AllTracksBeginAndEndASectionTogether) {
  time_.goTo(1);
  for (std::size_t track = 0; track < 3; ++track) { EXPECT_EQ(time_.positionOf(track), 1U); }
  time_.goTo(9);
  EXPECT_EQ(time_.positionOf(kBasic), 5U);
  EXPECT_EQ(time_.positionOf(kTiled), 9U);
  EXPECT_EQ(time_.positionOf(kCoarsened), 4U);
  time_.goTo(10);
  EXPECT_EQ(time_.positionOf(kTiled), 10U);
  EXPECT_EQ(time_.positionOf(kCoarsened), 5U);
}

TEST_F(RecordingLockstep, EveryStepOfEveryTrackHasItsTickAndNoneGoesBack) {
  for (std::size_t track = 0; track < 3; ++track) {
    std::size_t last = 0;
    for (std::size_t tick = 0; tick <= time_.end(); ++tick) {
      time_.goTo(tick);
      const std::size_t position = time_.positionOf(track);
      EXPECT_TRUE(position == last || position == last + 1) << "track " << track << ", tick " << tick;
      last = position;
    }
    EXPECT_EQ(last, std::vector<std::size_t>({5, 12, 19})[track]);
  }
}

TEST_F(RecordingLockstep, ATrackWithFewerSectionsHasFinished) {
  time_.nextSection();
  EXPECT_EQ(time_.placeOf(kBasic), (Lockstep::Place{0, 1, false}));
  time_.nextSection();
  EXPECT_EQ(time_.placeOf(kBasic), (Lockstep::Place{0, 1, true}));
  EXPECT_EQ(time_.positionOf(kBasic), 5U);
  EXPECT_EQ(time_.placeOf(kTiled), (Lockstep::Place{1, 2, false}));
  time_.nextSection();
  EXPECT_EQ(time_.placeOf(kTiled), (Lockstep::Place{1, 2, true}));
  EXPECT_EQ(time_.placeOf(kCoarsened), (Lockstep::Place{2, 4, false}));
  time_.nextSection();
  time_.nextSection();
  EXPECT_EQ(time_.position(), time_.end());
  EXPECT_TRUE(time_.placeOf(kCoarsened).finished);
}

TEST_F(RecordingLockstep, PreviousGoesToTheStartOfASectionFirst) {
  time_.goTo(12);
  time_.previousSection();
  EXPECT_EQ(time_.position(), 10U);
  time_.previousSection();
  EXPECT_EQ(time_.position(), 1U);
  time_.previousSection();
  EXPECT_EQ(time_.position(), 0U);
  time_.previousSection();
  EXPECT_EQ(time_.position(), 0U);
}

TEST_F(RecordingLockstep, AStepOfOneTrackTakesTheOthersAlong) {
  time_.goTo(1);
  time_.stepTrack(kBasic, 1);
  EXPECT_EQ(time_.positionOf(kBasic), 2U);
  EXPECT_GT(time_.positionOf(kTiled), 1U);
  time_.stepTrack(kBasic, -1);
  EXPECT_EQ(time_.positionOf(kBasic), 1U);
  EXPECT_EQ(time_.positionOf(kTiled), 1U);
  time_.stepTrack(kBasic, -1);
  time_.stepTrack(kBasic, -1);
  EXPECT_EQ(time_.position(), 0U);
}

TEST_F(RecordingLockstep, ATrackThatHasFinishedGoesOnByTicks) {
  time_.goToStep(kBasic, 5);
  const std::size_t finished = time_.position();
  for (int i = 0; i < 4; ++i) { time_.stepTrack(kBasic, 1); }
  EXPECT_EQ(time_.position(), finished + 4);
  EXPECT_EQ(time_.positionOf(kBasic), 5U);
  for (int i = 0; i < 4; ++i) { time_.stepTrack(kBasic, -1); }
  EXPECT_EQ(time_.position(), finished);
  time_.stepTrack(kBasic, -1);
  EXPECT_EQ(time_.positionOf(kBasic), 4U);
  for (int i = 0; i < 100; ++i) { time_.stepTrack(kBasic, 1); }
  EXPECT_EQ(time_.position(), time_.end());
}

TEST_F(RecordingLockstep, GoingToAStepStaysWhereTheTrackIsThereAlready) {
  time_.goTo(time_.end());
  time_.goToStep(kBasic, 5);
  EXPECT_EQ(time_.position(), time_.end());
  time_.goToStep(kTiled, 11);
  EXPECT_EQ(time_.positionOf(kTiled), 11U);
  EXPECT_EQ(time_.section(), 1U);
}

TEST(RecordingLockstepEdges, EmptySectionsTakeNoTime) {
  // As when a statement loads all operands and writes the result.
  Lockstep time({lasting({3, 1, 0, 2}), lasting({2, 4, 5, 0})});
  EXPECT_EQ(time.end(), 3U + 4U + 5U + 2U);
  time.goTo(8);
  EXPECT_EQ(time.section(), 2U);
  EXPECT_EQ(time.positionOf(0), 4U) << "waits at its third section's place";
  time.goTo(time.end());
  EXPECT_EQ(time.positionOf(0), 6U);
  EXPECT_EQ(time.positionOf(1), 11U);
}

TEST(RecordingLockstepEdges, NothingToWalkThrough) {
  Lockstep none;
  none.nextSection();
  none.step(5);
  EXPECT_TRUE(none.empty());
  Lockstep blank({lasting({}), lasting({0})});
  blank.nextSection();
  blank.stepTrack(0, 1);
  blank.stepTrack(1, -1);
  EXPECT_EQ(blank.position(), 0U);
  EXPECT_EQ(blank.positionOf(0), 0U);
  EXPECT_TRUE(blank.placeOf(0).finished);
}

TEST(RecordingBlockTally, CountsLoadsOfGlobalMemoryAndActiveLanes) {
  Recording recording = *test::RecordingSample().record();
  AccessGroup load;
  load.lanes = 0xffU;
  load.space = MemorySpace::Global;
  AccessGroup store = load;
  store.store = true;
  AccessGroup shared = load;
  shared.space = MemorySpace::Shared;
  recording.accesses = {load, store, shared, load};
  recording.steps[1].firstAccess = 0;
  recording.steps[1].accessCount = 3;
  recording.steps[4].firstAccess = 3;
  recording.steps[4].accessCount = 1;
  const BlockTally tally(recording);
  EXPECT_EQ(tally.loads(1), 0U);
  EXPECT_EQ(tally.loads(2), 8U);
  EXPECT_EQ(tally.loads(4), 8U);
  EXPECT_EQ(tally.loads(5), 16U);
  EXPECT_EQ(tally.loads(), 16U);
  EXPECT_EQ(tally.activeLanes(0), 0U) << "nothing has been executed";
  EXPECT_EQ(tally.activeLanes(1), 48U);
}

}  // namespace
}  // namespace haloscope::recording
