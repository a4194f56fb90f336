#include "render/SceneDirector.h"

#include <gtest/gtest.h>

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

TEST(SceneDirector, PlaysAStepForwardAndNothingElse) {
  RecordedBlock block("stencil/coarsened");
  SceneDirector director;
  block.after("inNext_s[ty][tx] = in[");
  update(director, block);
  EXPECT_FALSE(director.moving());
  EXPECT_EQ(director.progress(), 1);

  const std::size_t position = block.cursor.position();
  const auto goTo = [&](std::size_t to) {
    block.cursor.goTo(to);
    block.view = recording::viewBlock(block.cursor, block.experiment->footprint, block.experiment->carriers);
    update(director, block);
  };
  goTo(position - 1);
  EXPECT_FALSE(director.moving());
  goTo(position);
  EXPECT_TRUE(director.moving());
  EXPECT_LT(director.progress(), 0.1F);
  update(director, block);
  EXPECT_GT(director.progress(), 0.5F);
  update(director, block);
  update(director, block);
  EXPECT_FALSE(director.moving());
  EXPECT_EQ(director.progress(), 1);
  goTo(position + 1);  // a barrier: nothing has anywhere to go
  EXPECT_FALSE(director.moving());
}

}  // namespace
}  // namespace haloscope::render
