#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "UiDriver.h"
#include "actions/Findings.h"
#include "actions/MakeActions.h"
#include "checking/Check.h"
#include "making/MakeTask.h"
#include "tests/kernels/KernelCatalogue.h"

/// Tasks in which a kernel is written, in the window: the skeleton in the editor, check, help, the wrong place, the
/// climb.
namespace haloscope::test {
namespace {

using ::testing::HasSubstr;

class MakePanelTest : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }
  const making::MakeTask& task(const char* id) { return *making::findTask(state().make.tasks, id); }
  void open(const char* id) {
    state().view.tabs.bringToFront(Tab::Make);
    openMakeTask(state(), task(id));
    driver_.settle();
    driver_.settle();
  }
  /// Writes a text, has it judged, and lets the window follow.
  void check(const std::string& text) {
    state().copies.at(state().choice.kernel).setText(text);
    driver_.settle();
    ASSERT_TRUE(click("###check"));
    for (int i = 0; i < 3; ++i) { driver_.settle(); }
  }
  bool click(const std::string& item) {
    return driver_.act([&](ImGuiTestContext* user) { user->ItemClick(("**/" + item).c_str()); });
  }

  UiDriver driver_{[](AppOptions& options) {
    options.state.make.tasks =
        making::readMakeTasks(making::ownTasks(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets"));
    options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
      return checking::check(experiment, stop);
    };
  }};
};

TEST_F(MakePanelTest, EverySkeletonIsShownWithItsHelpLevelByLevel) {
  for (const making::MakeTask& one : state().make.tasks) {
    open(one.id.c_str());
    EXPECT_EQ(makeTask(state()), &one);
    EXPECT_FALSE(state().problem) << one.id << ": " << state().problem->message;
    EXPECT_EQ(state().experiment->file.id, one.skeleton.id);
    EXPECT_THAT(solutionText(state(), one), HasSubstr("// Your lines."));
    for (int level = 1; level <= 3; ++level) {
      ASSERT_TRUE(click("###help"));
      EXPECT_EQ(static_cast<int>(state().make.progress.at(one.id).help), level);
    }
  }
}

TEST_F(MakePanelTest, AWrongSolutionIsShownWhereItIsWrong) {
  open("tile");
  std::string racing = catalogue().at("stencil/tiled").text;
  racing.erase(racing.find("__syncthreads();"), 16);
  check(racing);
  const making::MadeKernel* made = shownVerdict(state());
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->outcome, making::Outcome::Faults) << made->sentence;
  ASSERT_NE(chosenFinding(state()), nullptr);
  EXPECT_EQ(chosenFinding(state())->kind, faults::FindingKind::RaceShared);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Block));
  EXPECT_FALSE(state().make.progress["tile"].right);

  std::string oneSize = catalogue().at("stencil/tiled").text;
  oneSize.replace(oneSize.find("i < N - 1"), 9, "i < (N == 20 ? 19 : N - 2)");
  check(oneSize);
  ASSERT_NE(shownVerdict(state()), nullptr);
  EXPECT_EQ(shownVerdict(state())->outcome, making::Outcome::OnlyThisSize) << shownVerdict(state())->sentence;
  EXPECT_EQ(state().experiment->bindings.at("N"), 17) << "the size that shows it";
  ASSERT_NE(chosenFinding(state()), nullptr);
}

TEST_F(MakePanelTest, ARightSolutionIsPlacedOnTheClimb) {
  open("tile");
  check(catalogue().at("stencil/tiled").text);
  ASSERT_NE(shownVerdict(state()), nullptr);
  EXPECT_EQ(shownVerdict(state())->outcome, making::Outcome::Solved) << shownVerdict(state())->sentence;
  EXPECT_TRUE(state().make.progress["tile"].solved);
  EXPECT_FALSE(verdictIsOld(state()));
  ASSERT_TRUE(click("###climb"));
  driver_.settle();
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Climb));
  EXPECT_EQ(state().climb.own, "make/tile");
  state().copies.at("make/tile").setText(task("tile").skeleton.text);
  EXPECT_TRUE(verdictIsOld(state()));
}

TEST_F(MakePanelTest, ChecksByKeyAndFollowsAnotherTask) {
  open("sweep");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); }));
  driver_.settle();
  ASSERT_NE(shownVerdict(state()), nullptr);
  EXPECT_EQ(shownVerdict(state())->outcome, making::Outcome::NothingWritten);
  open("laplacian");
  EXPECT_EQ(shownVerdict(state()), nullptr) << "it is the other task's";
}

}  // namespace
}  // namespace haloscope::test
