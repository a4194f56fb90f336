#include "actions/LessonFollowing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "actions/SceneActions.h"
#include "experiment/Experiment.h"
#include "lessons/WindowLink.h"
#include "tests/kernels/KernelCatalogue.h"

// A link of a lesson sets the window, and its place holds for nothing but what it chose itself.

namespace haloscope::lessons {
namespace {

class FollowingTest : public ::testing::Test {
 protected:
  FollowingTest() {
    state_.catalogue = test::catalogue();
    receive({"stencil/basic", {{"N", 20}}});
  }

  [[nodiscard]] WindowLink link(const std::string& query) const {
    Setting around;
    around.kernel = "stencil/tiled";
    return parseWindowLink(linkPairs(query), state_.catalogue, around);
  }
  /// The chosen kernel has been executed.
  void receive(const experiment::Choice& choice) {
    state_.choice = choice;
    experiment::RunOptions options;
    options.record = true;
    state_.experiment = experiment::run(state_.catalogue.at(choice.kernel), choice, options);
    state_.cursor = recording::Cursor(state_.experiment->recording);
    follow();
  }
  /// A frame passes before the execution has ended.
  void choose(const std::string& kernel) {
    state_.choice = {kernel, {{"N", 20}}};
    follow();
  }

  void follow() {
    followScene(state_);
    followLesson(state_);
  }

  AppState state_;
};

TEST_F(FollowingTest, ALinkGoesToItsPlaceOnceItsKernelIsExecuted) {
  followLink(state_, link("N=20&step=7&thread=1,1,1"));
  follow();
  EXPECT_EQ(state_.cursor.position(), 0U) << "the kernel before it";
  receive(state_.choice);
  EXPECT_EQ(state_.cursor.position(), 7U);
  EXPECT_EQ(state_.awaited.scene, nullptr);
}

TEST_F(FollowingTest, AnotherOrderOfTheWarpsKeepsTheLink) {
  followLink(state_, link("N=20&step=7"));
  state_.choice.order = simt::WarpOrder::Reversed;
  receive(state_.choice);
  EXPECT_EQ(state_.cursor.position(), 7U);
}

TEST_F(FollowingTest, ALinkIsForgottenWhenTheReaderChoosesAnotherKernel) {
  followLink(state_, link("N=20&at=in_s[&thread=1,1,1"));
  const auto thread = state_.selection.thread;
  choose("stencil/basic");
  receive(state_.choice);
  EXPECT_EQ(state_.cursor.position(), 0U);
  EXPECT_EQ(state_.selection.thread, thread);
  EXPECT_EQ(state_.lesson.problem, "") << "the other kernel has no line with in_s[";
  EXPECT_FALSE(state_.playback.playing);
}

TEST_F(FollowingTest, ALinkToNumbersThatAreGoneIsSaid) {
  WindowLink gone = link("N=20");
  gone.setting.data["in"] = "@/none/in.csv";
  const experiment::Choice before = state_.choice;
  EXPECT_NO_THROW(followLink(state_, gone));
  EXPECT_NE(state_.lesson.problem.find("in.csv"), std::string::npos) << state_.lesson.problem;
  EXPECT_TRUE(state_.choice == before);
}

TEST_F(FollowingTest, TheMarkOfALinkIsGoneWithItsKernel) {
  followLink(state_, link("N=20&step=7"));
  state_.lesson.followed = {"a-lesson", 0};
  receive(state_.choice);
  EXPECT_TRUE(state_.lesson.followed);
  choose("stencil/basic");
  EXPECT_FALSE(state_.lesson.followed);
}

}  // namespace
}  // namespace haloscope::lessons
