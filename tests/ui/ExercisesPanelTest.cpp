#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <string>

#include "UiDriver.h"
#include "actions/ExerciseActions.h"
#include "actions/ViewActions.h"
#include "exercises/Exercise.h"
#include "exercises/Worked.h"
#include "language/Language.h"
#include "questions/Questions.h"
#include "state/ExerciseView.h"

/// The exercises in the window: numbers typed, predictions compared, pictures, the kernel that answered.
namespace haloscope::test {
namespace {

class ExercisesPanelTest : public ::testing::Test {
 protected:
  ~ExercisesPanelTest() override { setLanguage(Language::English); }

  AppState& state() { return driver_.state(); }
  ExerciseView& view() { return state().exercise; }
  void open(const char* id) {
    chooseExercise(state(), id);
    state().view.tabs.bringToFront(Tab::Exercises);
    driver_.settle();
    driver_.settle();
    ASSERT_NE(view().worked, nullptr) << view().problem;
    ASSERT_STREQ(view().worked->exercise->id, id);
  }
  bool type(const std::string& item, const std::string& text) {
    return driver_.act([&](ImGuiTestContext* user) {
      user->ItemInput(("**/" + item).c_str());
      user->KeyCharsReplaceEnter(text.c_str());
    });
  }
  bool click(const std::string& item) {
    return driver_.act([&](ImGuiTestContext* user) { user->ItemClick(("**/" + item).c_str()); });
  }
  [[nodiscard]] const exercises::Answered& part(std::size_t index) { return view().worked->parts.at(index); }

  UiDriver driver_{[](AppOptions& options) {
    options.state.exercise.kernels = exercises::readKernels(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets");
  }};
};

TEST_F(ExercisesPanelTest, EveryExerciseIsExecutedAndShown) {
  for (const exercises::Exercise& exercise : exercises::exercises()) {
    open(exercise.id);
    EXPECT_EQ(view().problem, "") << exercise.id;
    EXPECT_FALSE(view().worked->parts.empty()) << exercise.id;
    EXPECT_EQ(view().worked->notExecuted, "") << exercise.id;
  }
}

TEST_F(ExercisesPanelTest, WhatIsTypedIsNotAnsweredByTheNumbersBefore) {
  open("ghost-1d");
  EXPECT_TRUE(answersTyped(state()));
  typeNumber(view(), exercises::exercise("ghost-1d").fields.front().name, "9");
  EXPECT_FALSE(answersTyped(state())) << "it has not been executed yet";
  driver_.settle();
  EXPECT_TRUE(answersTyped(state()));
  typeNumber(view(), exercises::exercise("ghost-1d").fields.front().name, "x");
  driver_.settle();
  EXPECT_FALSE(answersTyped(state())) << "it cannot be executed";
  EXPECT_NE(view().problem, "");
}

TEST_F(ExercisesPanelTest, ANumberThatIsTypedChangesTheAnswer) {
  open("ghost-1d");
  const double before = part(0).answer();
  ASSERT_TRUE(type("##m", "7"));
  driver_.settle();
  EXPECT_EQ(view().typed["m"], "7");
  EXPECT_NE(part(0).answer(), before);
  EXPECT_EQ(part(0).answer(), 6) << "3 on each side";
}

TEST_F(ExercisesPanelTest, APredictionIsComparedWithTheExecutedAnswer) {
  open("ghost-1d");
  const std::string id = part(0).part->id;
  ASSERT_TRUE(type(id + "/##prediction", questions::numberText(part(0).answer() + 1)));
  EXPECT_TRUE(view().shown.contains(id));
  ASSERT_TRUE(part(0).found);
  EXPECT_EQ(*part(0).found, part(0).answer());
  ASSERT_TRUE(type("##n", "9"));
  driver_.settle();
  EXPECT_FALSE(view().shown.contains(id)) << "other numbers hide the answer again";
}

TEST_F(ExercisesPanelTest, ANumberThatCannotBeKeepsTheLastGoodAnswer) {
  open("ghost-1d");
  const double before = part(0).answer();
  ASSERT_TRUE(type("##m", "4"));
  driver_.settle();
  EXPECT_NE(view().problem, "") << "a filter has a middle";
  EXPECT_EQ(part(0).answer(), before);
  ASSERT_TRUE(type("##m", "twelve"));
  driver_.settle();
  EXPECT_NE(view().problem, "");
}

TEST_F(ExercisesPanelTest, OtherNumbersAreDrawn) {
  open("output-block");
  const exercises::Typed before = view().worked->typed;
  ASSERT_TRUE(click("###again"));
  driver_.settle();
  EXPECT_NE(view().worked->typed, before);
  EXPECT_EQ(view().problem, "");
}

TEST_F(ExercisesPanelTest, ItsKernelComesIntoTheWindow) {
  open("stencil-coarsened");
  EXPECT_EQ(state().experiment->file.id, view().worked->choice.kernel) << "at once";
  EXPECT_EQ(state().experiment->bindings.at("N"), view().worked->choice.bindings.at("N"));
  const std::string field = shownExercise(state()).fields.front().name;
  typeNumber(view(), field, std::to_string(std::stoi(view().worked->typed.at(field)) + 2));
  driver_.settle();
  driver_.settle();
  ASSERT_TRUE(answersTyped(state())) << view().problem;
  EXPECT_EQ(state().experiment->bindings.at("N"), view().worked->choice.bindings.at("N")) << "as it was typed";
  state().choice = {.kernel = "convolution/basic", .bindings = {}, .block = {}};
  driver_.settle();
  EXPECT_EQ(state().experiment->file.id, "convolution/basic") << "another one can be looked at meanwhile";
  ASSERT_TRUE(click("###show"));
  driver_.settle();
  EXPECT_EQ(state().experiment->file.id, view().worked->choice.kernel);
}

TEST_F(ExercisesPanelTest, InChineseTheNumbersAreTheSame) {
  open("input-block");
  const double english = part(0).answer();
  toggleLanguage(state());
  driver_.settle();
  driver_.settle();
  EXPECT_EQ(part(0).answer(), english);
  const std::string id = part(0).part->id;
  ASSERT_TRUE(type(id + "/##prediction", questions::numberText(english)));
  EXPECT_TRUE(view().shown.contains(id));
}

}  // namespace
}  // namespace haloscope::test
