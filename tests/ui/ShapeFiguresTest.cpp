#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "UiDriver.h"
#include "book/Figure.h"
#include "figures/BlockBoundary.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"
#include "parts/FigureList.h"
#include "ui/window/PanelList.h"
#include "work/Pool.h"

/// The figures of shape, layout and boundary, as the user sees them in the window.
namespace haloscope::test {
namespace {

class ShapeFigures : public ::testing::Test {
 protected:
  void open(const char* figure) {
    state().view.tabs.bringToFront(Tab::Figures);
    state().figures.inFront = figure;
    press(ImGuiKey_None);
    driver_.settle();
    ASSERT_TRUE(state().figures.shows(figure));
  }
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      if (keys != ImGuiKey_None) { user->KeyPress(keys); }
      user->Yield(3);
    }));
  }
  void type(const char* text) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->KeyChars(text);
      user->Yield(3);
    }));
  }
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(ShapeFigures, AreOnePressOfTheFullStopApart) {
  open("shape");
  type(".");
  EXPECT_NE(state().figures.inFront, "shape");
  type(",");
  EXPECT_EQ(state().figures.inFront, "shape");
}

TEST_F(ShapeFigures, TheShapeIsThatOfTheExperimentOnScreen) {
  open("shape");
  ASSERT_NE(state().figures.shape.shape, nullptr);
  EXPECT_EQ(state().figures.shape.experiment, state().experiment);
  EXPECT_EQ(state().figures.shape.shape->points.size(), 7U);
  state().choice = {"convolution/basic", {{"FILTER_RADIUS", 2}}, std::nullopt};
  driver_.settle();
  EXPECT_EQ(state().figures.shape.experiment, state().experiment);
  EXPECT_EQ(state().figures.shape.shape->points.size(), 25U);
}

TEST_F(ShapeFigures, ArrowsMoveThePointOfTheLayoutOnceItWasClicked) {
  open("layout");
  const std::size_t position = state().cursor.position();
  std::array<std::int64_t, 3> clicked{};
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef(pathOf(state(), Tab::Figures).c_str());
    user->ItemClick("**/plane 2");
    user->Yield(3);
    clicked = state().figures.layout.point.value_or(clicked);
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_PageDown}) { user->KeyPress(key); }
    user->Yield(3);
  }));
  EXPECT_EQ(clicked[0], 2);
  EXPECT_EQ(state().figures.layout.point, (std::array<std::int64_t, 3>{3, clicked[1] - 1, clicked[2] + 1}));
  EXPECT_EQ(state().cursor.position(), position) << "the arrows step nothing while the point has them";
}

TEST_F(ShapeFigures, TheWarpIsThatOfTheSelectedThread) {
  open("layout");
  state().figures.layout.ofWarp = true;
  press(ImGuiKey_None);
  ASSERT_NE(state().figures.layout.warp, nullptr);
  EXPECT_EQ(state().figures.layout.warp->warp, state().selection.thread / kWarpSize);
  EXPECT_TRUE(state().figures.layout.warp->reason.empty());
  state().selection.thread = 0;
  press(ImGuiKey_None);
  EXPECT_EQ(state().figures.layout.warp->warp, 0U);
  EXPECT_FALSE(state().figures.layout.warp->reason.empty()) << "all lanes of warp 0 of this tile are halo";
}

TEST_F(ShapeFigures, TheBoundaryFollowsTheBlock) {
  open("boundary");
  ASSERT_NE(state().figures.boundary.found, nullptr);
  EXPECT_TRUE(state().figures.boundary.found->ghosts.empty()) << "an interior block";
  state().figures.boundary.plane = 3;
  state().choice.block = Dim3{0, 0, 0};
  driver_.settle();
  ASSERT_NE(state().figures.boundary.found, nullptr);
  EXPECT_EQ(state().figures.boundary.found->block, (Dim3{0, 0, 0}));
  EXPECT_FALSE(state().figures.boundary.found->ghosts.empty());
  EXPECT_FALSE(state().figures.boundary.plane.has_value()) << "another block begins in its own middle";
}

TEST_F(ShapeFigures, ALaunchThatCannotBeRunAgainSaysWhy) {
  open("shape");
  auto huge = std::make_shared<experiment::Experiment>(*state().experiment);
  for (ArrayDeclaration& array : huge->file.arrays) {
    array.shape = {Expression("4096"), Expression("4096"), Expression("4096")};
  }
  state().experiment = huge;
  work::Pool pool;
  figureParts()[figureIndex("shape")]->work(pool)->settle(state());
  EXPECT_EQ(state().figures.shape.shape, nullptr);
  EXPECT_THAT(state().figures.shape.problem, ::testing::MatchesRegex("the array [a-z]+ would take more than 16 GiB."));
  state().figures.inFront = "boundary";
  figureParts()[figureIndex("boundary")]->work(pool)->settle(state());
  EXPECT_EQ(state().figures.boundary.found, nullptr);
  EXPECT_EQ(state().figures.boundary.problem, state().figures.shape.problem);
}

}  // namespace
}  // namespace haloscope::test
