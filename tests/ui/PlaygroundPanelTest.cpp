#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/PlaygroundActions.h"
#include "state/Playground.h"

/// The playground in the window.
namespace haloscope::test {
namespace {

class PlaygroundPanelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    state().view.tabs.enter(Workspace::Play);
    driver_.app().frame(1.0 / 60);
    choosePlaySize(state(), 128);
    driver_.settle();
  }

  AppState& state() { return driver_.state(); }

  void choose(const std::string& item) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->SetRef(pathOf(state(), Tab::Playground).c_str());
      user->ComboClick(("##problem/###" + item).c_str());
    }));
  }

  UiDriver driver_;
};

TEST_F(PlaygroundPanelTest, BeginsWithTheFirstProblemAndSweepsIt) {
  EXPECT_EQ(state().choice.kernel, "playground/heat_plate");
  EXPECT_TRUE(state().fieldControls.run);
  EXPECT_EQ(state().field.extents, (std::vector<std::int64_t>{128, 128}));
  const std::uint64_t before = state().field.sweeps;
  // Another process sweeps: a busy machine may draw many frames before it does.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  driver_.act([&](ImGuiTestContext* user) {
    while (state().field.sweeps == before && std::chrono::steady_clock::now() < end) { user->Yield(); }
  });
  EXPECT_GT(state().field.sweeps, before);
}

TEST_F(PlaygroundPanelTest, AnotherEngineGoesOnWithTheField) {
  driver_.act([](ImGuiTestContext* user) { user->Yield(40); });
  state().fieldControls.run = false;
  driver_.settle();
  const std::uint64_t sweeps = state().field.sweeps;
  ASSERT_GT(sweeps, 0U);
  chooseEngine(state(), "stencil/2d_5_tiled");
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().field.kernel, "stencil/2d_5_tiled");
  EXPECT_EQ(state().field.sweeps, sweeps);
  EXPECT_EQ(state().field.problem, "");
}

TEST_F(PlaygroundPanelTest, AProblemIsChosenAndSaysWhatIsNoTimeStep) {
  choose("picture");
  EXPECT_EQ(state().choice.kernel, "playground/picture");
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_THAT(state().field.noTimeStep, ::testing::HasSubstr("no step in time"));
  choose("life");
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().field.noTimeStep, "");
  EXPECT_EQ(state().field.problem, "");
}

/// A blur is not a time step, so with every engine each sweep begins with the picture.
TEST_F(PlaygroundPanelTest, APictureStaysTheSameUnderEveryEngine) {
  choose("picture");
  state().fieldControls.run = false;
  driver_.settle();
  const auto middle = [&](int sweeps) {
    state().fieldControls.pointer = {static_cast<float>(state().fieldControls.width) / 2,
                                     static_cast<float>(state().fieldControls.height) / 2};
    for (int i = 0; i < sweeps; ++i) {
      state().fieldControls.singleSweep = true;
      driver_.settle();
    }
    state().fieldControls.pointer = {static_cast<float>(state().fieldControls.width) / 2,
                                     static_cast<float>(state().fieldControls.height) / 2};
    driver_.app().frame(1.0 / 60);
    const auto probe = state().field.probe;
    EXPECT_TRUE(probe);
    return probe ? probe->value : 0;
  };
  const double once = middle(1);
  EXPECT_EQ(middle(2), once);
  chooseEngine(state(), "convolution/constant");
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().field.kernel, "convolution/constant");
  EXPECT_THAT(state().field.noTimeStep, ::testing::HasSubstr("no step in time"));
  EXPECT_NEAR(middle(1), once, 1e-5);
  EXPECT_NEAR(middle(2), once, 1e-5);
}

TEST_F(PlaygroundPanelTest, AnotherProblemOfTheSameShapeBeginsWithItsOwnField) {
  driver_.act([](ImGuiTestContext* user) { user->Yield(10); });
  state().fieldControls.run = false;
  driver_.settle();
  ASSERT_GT(state().field.sweeps, 0U);
  choose("life");
  state().fieldControls.run = false;
  choosePlaySize(state(), 128);
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().field.kernel, "playground/life");
  EXPECT_EQ(state().field.extents, (std::vector<std::int64_t>{128, 128}));
  EXPECT_EQ(state().field.sweeps, 0U);
}

TEST_F(PlaygroundPanelTest, LeavingItEndsTheSweeps) {
  state().view.tabs.enter(Workspace::Walk);
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_FALSE(state().fieldControls.run);
  EXPECT_TRUE(state().fieldControls.brush.empty());
}

TEST_F(PlaygroundPanelTest, TheOtherWorkspacesKeepTheirKernelAndPlace) {
  state().view.tabs.enter(Workspace::Walk);
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().experiment->file.id, "stencil/tiled") << "from before the playground was entered";
  state().cursor.goTo(7);
  const experiment::Choice walked = state().choice;
  state().view.tabs.enter(Workspace::Play);
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, "playground/heat_plate");
  EXPECT_EQ(state().field.extents, (std::vector<std::int64_t>{128, 128})) << "as it was left";
  state().view.tabs.enter(Workspace::Walk);
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().choice, walked);
  EXPECT_EQ(state().experiment->file.id, "stencil/tiled");
  EXPECT_EQ(state().cursor.position(), 7U);
}

TEST_F(PlaygroundPanelTest, AComparisonIsOfTheKernelFromBefore) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->KeyPress(ImGuiKey_C); }));
  driver_.settle();
  ASSERT_TRUE(state().comparison.on);
  EXPECT_EQ(state().comparison.variants.at(state().comparison.focus).choice.kernel, "stencil/tiled");
}

TEST_F(PlaygroundPanelTest, AKernelThatIsChosenWhileItIsLeftStays) {
  state().view.tabs.enter(Workspace::Walk);
  state().choice = {.kernel = "stencil/2d_5_tiled", .bindings = {}};
  driver_.app().frame(1.0 / 60);
  driver_.settle();
  EXPECT_EQ(state().experiment->file.id, "stencil/2d_5_tiled");
}

}  // namespace
}  // namespace haloscope::test
