#include "render/SceneDirector.h"

#include <gtest/gtest.h>
#include <optional>

#include "SceneFixture.h"

namespace haloscope::render {
namespace {

using test::RecordedBlock;

constexpr float kFrame = 0.1F, kMovement = 0.3F;

const SceneModel& update(SceneDirector& director, const RecordedBlock& block, std::uint32_t thread = 0) {
  return director.update(block.cursor, block.experiment->footprint, block.experiment->carriers, block.view, thread,
                         {.aspect = 0.8F}, kFrame, kMovement);
}

TEST(SceneDirector, MakesAModelOnlyWhenSomethingChanged) {
  RecordedBlock block("stencil/coarsened");
  SceneDirector director;
  const std::uint64_t first = update(director, block).revision;
  EXPECT_GT(first, 0U);
  EXPECT_EQ(update(director, block).revision, first);
  EXPECT_NE(update(director, block, 9).revision, first);
  const std::uint64_t second = director.model().revision;
  block.after("inNext_s[ty][tx] = in[");
  EXPECT_NE(update(director, block, 9).revision, second);
}

class SceneDirectorMoves : public ::testing::Test {
 protected:
  SceneDirectorMoves() { block_.after("inNext_s[ty][tx] = in["); }

  void goTo(std::size_t to) {
    block_.cursor.goTo(to);
    block_.view = recording::viewBlock(block_.cursor, block_.experiment->footprint, block_.experiment->carriers);
    wait();
  }
  void wait() { update(director_, block_); }

  RecordedBlock block_{"stencil/coarsened"};
  SceneDirector director_;
};

TEST_F(SceneDirectorMoves, PlaysAStepForward) {
  wait();
  EXPECT_FALSE(director_.moving());
  EXPECT_EQ(director_.progress(), 1);
  const std::size_t position = block_.cursor.position();
  goTo(position - 2);
  EXPECT_FALSE(director_.moving()) << "two steps back";
  goTo(position - 1);
  goTo(position);
  EXPECT_TRUE(director_.moving());
  EXPECT_LT(director_.progress(), 0.1F);
  wait();
  EXPECT_NEAR(director_.progress(), 1.0F / 3, 0.01F);
  wait();
  wait();
  EXPECT_FALSE(director_.moving());
  EXPECT_EQ(director_.progress(), 1);
  goTo(position + 1);  // a barrier: threads come to its gate
  EXPECT_TRUE(director_.moving());
  for (int i = 0; i < 4; ++i) { wait(); }
  goTo(position + 2);  // a condition: nothing has anywhere to go
  EXPECT_FALSE(director_.moving());
}

TEST_F(SceneDirectorMoves, PlaysAStepBackTheOtherWayRound) {
  const std::size_t position = block_.cursor.position();
  goTo(position - 1);
  const std::uint64_t before = director_.model().revision;
  goTo(position);
  const std::uint64_t after = director_.model().revision;
  for (int i = 0; i < 4; ++i) { wait(); }
  goTo(position - 1);
  EXPECT_TRUE(director_.moving());
  EXPECT_EQ(director_.model().revision, after) << "the picture of the step that is taken back";
  EXPECT_GT(director_.progress(), 0.9F);
  wait();
  EXPECT_NEAR(director_.progress(), 2.0F / 3, 0.01F);
  wait();
  wait();
  EXPECT_FALSE(director_.moving());
  EXPECT_NE(director_.model().revision, after);
  EXPECT_GT(director_.model().revision, before);
  EXPECT_FALSE(director_.model().travels);
}

TEST_F(SceneDirectorMoves, AStepBackTurnsAroundWhereTheMovementIs) {
  const std::size_t position = block_.cursor.position();
  goTo(position - 1);
  goTo(position);
  wait();
  const float before = director_.progress();
  ASSERT_LT(before, 0.5F);
  goTo(position - 1);
  EXPECT_NEAR(director_.progress(), before, 0.35F) << "a frame's time further back at most";
  EXPECT_TRUE(director_.returning());
  wait();
  wait();
  EXPECT_FALSE(director_.returning());
}

TEST_F(SceneDirectorMoves, AStepForwardTurnsAStepBackAround) {
  const std::size_t position = block_.cursor.position();
  goTo(position - 1);
  goTo(position);
  const std::uint64_t step = director_.model().revision;
  for (int i = 0; i < 4; ++i) { wait(); }
  goTo(position - 1);
  wait();
  const float before = director_.progress();
  ASSERT_GT(before, 0.5F);
  goTo(position);
  EXPECT_FALSE(director_.returning());
  EXPECT_NEAR(director_.progress(), before, 0.35F) << "a frame's time away, not at its begin";
  EXPECT_EQ(director_.model().revision, step) << "the same movement";
  wait();
  wait();
  EXPECT_EQ(director_.progress(), 1);
  EXPECT_FALSE(director_.moving());
}

TEST_F(SceneDirectorMoves, AHeldMovementStaysAndGoesOnFromThere) {
  const std::size_t position = block_.cursor.position();
  director_.hold(0.25F);
  goTo(position - 3);
  goTo(position);  // a jump, which by itself shows where the movement ends
  EXPECT_EQ(director_.progress(), 0.25F);
  EXPECT_TRUE(director_.model().travels);
  wait();
  EXPECT_EQ(director_.progress(), 0.25F) << "no time passes";
  EXPECT_FALSE(director_.moving());
  director_.hold(0.125F);
  wait();
  EXPECT_EQ(director_.progress(), 0.125F) << "backwards, within the step";
  goTo(position - 1);
  EXPECT_FALSE(director_.returning()) << "what is held is of the position's own step";
  goTo(position);
  director_.hold(std::nullopt);
  EXPECT_TRUE(director_.moving());
  EXPECT_EQ(director_.progress(), 0.125F);
  for (int i = 0; i < 4; ++i) { wait(); }
  EXPECT_EQ(director_.progress(), 1);
}

TEST_F(SceneDirectorMoves, AJumpEndsAMovement) {
  const std::size_t position = block_.cursor.position();
  goTo(position - 1);
  goTo(position);
  goTo(position - 1);
  ASSERT_TRUE(director_.moving());
  goTo(0);
  EXPECT_FALSE(director_.moving());
  EXPECT_EQ(director_.progress(), 1);
}

}  // namespace
}  // namespace haloscope::render
