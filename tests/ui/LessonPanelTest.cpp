#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "UiDriver.h"
#include "actions/LessonFollowing.h"
#include "actions/ViewActions.h"
#include "language/Language.h"
#include "lessons/Course.h"
#include "lessons/LessonFacts.h"
#include "questions/Questions.h"

/// The course in the window: a page, its links and animations, its questions, the map, and what is remembered.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;
using lessons::AskedQuestion;

constexpr const char* kTiles = "tiles-and-halos";

void provideCourse(AppOptions& options) {
  options.state.lesson.course = std::make_shared<const lessons::Course>(
      lessons::Course::read(fs::path(HALOSCOPE_SOURCE_DIR) / "assets" / "lessons", "en", options.state.catalogue));
}

class LessonPanelTest : public ::testing::Test {
 protected:
  ~LessonPanelTest() override { setLanguage(Language::English); }

  AppState& state() { return driver_.state(); }
  LessonView& view() { return state().lesson; }
  void open(const char* id) {
    openLesson(state(), id);
    driver_.settle();
  }
  bool click(const std::string& item) {
    return driver_.act([&](ImGuiTestContext* user) { user->ItemClick(("**/" + item).c_str()); });
  }
  /// Only what is on screen can be clicked on by name.
  void scroll(float share) {
    view().scrollTo = share;
    driver_.settle();
  }
  void scrollTo(const std::string& question) {
    view().scrollToQuestion = question;
    driver_.settle();
  }
  /// Types an answer and presses Enter.
  bool answer(const std::string& question, const std::string& text) {
    scrollTo(question);
    return driver_.act([&](ImGuiTestContext* user) {
      user->ItemInput(("**/" + question + "/##answer").c_str());
      user->KeyCharsReplaceEnter(text.c_str());
    });
  }
  [[nodiscard]] const AskedQuestion& asked(const std::string& question) {
    const lessons::Lesson& lesson = *shownLesson(state());
    const auto index = static_cast<std::size_t>(lesson.findQuestion(question) - lesson.questions.data());
    return *view().facts.at(lesson.id)->questions.at(index);
  }
  [[nodiscard]] lessons::Attempt& attempt(const std::string& question) {
    return view().attempts[{view().shown, question}];
  }

  UiDriver driver_{provideCourse};
};

TEST_F(LessonPanelTest, OpensWithItsKernelAndAllThatItAsksFor) {
  open(kTiles);
  EXPECT_EQ(state().choice.kernel, "convolution/tiled_input_block");
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Lesson));
  const lessons::Lesson& lesson = *shownLesson(state());
  const lessons::LessonFacts& facts = *view().facts.at(kTiles);
  EXPECT_TRUE(facts.answers(lesson, {}));
  EXPECT_TRUE(facts.problems.empty());
  for (const auto& question : facts.questions) { EXPECT_EQ(question->problem, ""); }
  EXPECT_FALSE(state().playback.playing);
}

TEST_F(LessonPanelTest, WordsStayOnTheirLinesWhenTheNumbersCome) {
  const auto height = [&](const std::string& lesson) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (std::string(window->Name).find("/" + lesson + "_") != std::string::npos) { return window->ContentSize.y; }
    }
    return 0.0F;
  };
  for (const char* id : {"op-per-byte", "constant-memory"}) {
    const lessons::Lesson& lesson = *view().course->find(id);
    // Nothing to execute, and no number known.
    lessons::LessonFacts none;
    none.hasValues = true;
    none.questions.assign(lesson.questions.size(), std::make_shared<const AskedQuestion>());
    view().facts[id] = std::make_shared<const lessons::LessonFacts>(none);
    open(id);
    const float before = height(id);
    EXPECT_GT(before, 1000) << id;
    view().facts.clear();
    driver_.settle();
    EXPECT_TRUE(view().facts.at(id)->answers(lesson, {}));
    EXPECT_NEAR(height(id), before, 8.0F)
        << id << ": a number may be higher than the room for it, but no line is added";
  }
}

TEST_F(LessonPanelTest, TheTestSaysNothingUntilItIsFinished) {
  openCourseMap(state());
  driver_.settle();
  ASSERT_TRUE(click("###before"));
  driver_.settle();
  const lessons::Lesson& test = view().course->test;
  ASSERT_EQ(shownLesson(state()), &test);
  EXPECT_TRUE(view().last.empty()) << "it is no lesson to come back to";
  const std::string& first = test.questions[0].id;
  const std::string& second = test.questions[1].id;
  EXPECT_EQ(asked(first).seed, view().sitting.seed);
  ASSERT_TRUE(answer(first, questions::numberText(asked(first).answer.number)));
  ASSERT_TRUE(answer(second, questions::numberText(asked(second).answer.number + 1)));
  EXPECT_EQ(attempt(first).verdict, lessons::Attempt::Verdict::Open);
  EXPECT_FALSE(lessons::resultOf(view().results, lessons::TestTime::Before).taken());

  ASSERT_TRUE(answer(second, "a dozen"));
  scroll(1);
  ASSERT_TRUE(click("###finish"));
  driver_.settle();
  EXPECT_FALSE(testFinished(state())) << "what is no number is to be typed again";
  EXPECT_NE(attempt(second).complaint, "");

  ASSERT_TRUE(answer(second, questions::numberText(asked(second).answer.number + 1)));
  scroll(1);
  ASSERT_TRUE(click("###finish"));
  driver_.settle();
  ASSERT_TRUE(testFinished(state()));
  const lessons::TestResult& result = lessons::resultOf(view().results, lessons::TestTime::Before);
  EXPECT_EQ(result.right, (std::map<std::string, bool>{{first, true}, {second, false}})) << "the others are open";
  EXPECT_TRUE(view().progress.empty()) << "no lesson was read";

  scroll(1);
  ASSERT_TRUE(click("###done"));
  driver_.settle();
  scroll(0);
  std::string copied;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->ItemClick("**/###csv");
    const char* const text = ImGui::GetClipboardText();
    copied = text == nullptr ? "" : text;
  }));
  EXPECT_EQ(copied, lessons::testTable(test, view().results));
  ASSERT_TRUE(click("###after"));
  driver_.settle();
  EXPECT_FALSE(testFinished(state())) << "a new sitting";
  EXPECT_EQ(attempt(first).typed, "");
  EXPECT_TRUE(lessons::resultOf(view().results, lessons::TestTime::Before).taken());
}

TEST_F(LessonPanelTest, AWrongNumberLeadsToTheStepAndARightOneCounts) {
  open("sliding-sum");
  const std::string question = "an-output";
  const double right = asked(question).answer.number;
  ASSERT_TRUE(answer(question, questions::numberText(right + 1)));
  EXPECT_EQ(attempt(question).verdict, lessons::Attempt::Verdict::Wrong);
  EXPECT_TRUE(view().progress["sliding-sum"].answered.empty());
  state().cursor.goTo(0);
  ASSERT_TRUE(click(question + "/Look at the step"));
  driver_.settle();
  EXPECT_GT(state().cursor.position(), 0U);
  EXPECT_EQ(state().selection.thread, 4U) << "the thread of output 4";
  EXPECT_EQ(view().problem, "");

  ASSERT_TRUE(answer(question, questions::numberText(right)));
  EXPECT_EQ(attempt(question).verdict, lessons::Attempt::Verdict::Right);
  EXPECT_TRUE(view().progress["sliding-sum"].answered.contains(question));
}

TEST_F(LessonPanelTest, WhatIsNoNumberIsNoWrongAnswer) {
  open("sliding-sum");
  ASSERT_TRUE(answer("an-output", "many"));
  EXPECT_EQ(attempt("an-output").verdict, lessons::Attempt::Verdict::Open);
  EXPECT_NE(attempt("an-output").complaint, "");
}

TEST_F(LessonPanelTest, AnAnswerThatWasShownDoesNotCount) {
  open("sliding-sum");
  const std::string question = "products-of-an-output";
  const double right = asked(question).answer.number;
  ASSERT_TRUE(answer(question, questions::numberText(right + 1)));
  ASSERT_TRUE(click(question + "/Show the answer"));
  ASSERT_TRUE(answer(question, questions::numberText(right)));
  EXPECT_FALSE(view().progress["sliding-sum"].answered.contains(question));

  ASSERT_TRUE(click(question + "/Again with other numbers"));
  driver_.settle();
  EXPECT_EQ(asked(question).seed, 1U);
  ASSERT_TRUE(answer(question, questions::numberText(asked(question).answer.number)));
  EXPECT_TRUE(view().progress["sliding-sum"].answered.contains(question)) << "with other numbers it does";
}

TEST_F(LessonPanelTest, ALinkSetsTheWindowAndIsMarked) {
  open(kTiles);
  const lessons::Lesson& lesson = *shownLesson(state());
  std::optional<std::size_t> index;
  for (std::size_t i = 0; i < lesson.links.size(); ++i) {
    const lessons::Link& link = lesson.links[i];
    if (link.kind == lessons::Link::Kind::Window && link.window.setting.block == Dim3{1, 1, 0} && !index) { index = i; }
  }
  ASSERT_TRUE(index) << "the lesson looks at block (1, 1)";
  ASSERT_FALSE(state().choice.block == (Dim3{1, 1, 0}));
  scroll(0.06F);
  ASSERT_TRUE(click("$$" + std::to_string(*index) + "/link0"));
  driver_.settle();
  EXPECT_EQ(state().choice.block, (Dim3{1, 1, 0}));
  EXPECT_EQ(view().followed, std::pair(std::string(kTiles), *index));
}

TEST_F(LessonPanelTest, AnAnimationStandsStillUntilItIsPlayed) {
  open(kTiles);
  const lessons::Lesson& lesson = *shownLesson(state());
  StepsPlayer* player = playerOf(state(), lesson, 0);
  ASSERT_NE(player, nullptr);
  const std::size_t position = state().cursor.position();
  driver_.app().frame(2);
  EXPECT_EQ(player->cursor.position(), player->from);

  scroll(0.22F);
  ASSERT_TRUE(click("###forward"));
  EXPECT_EQ(player->cursor.position(), player->from + 1);
  EXPECT_EQ(player->viewed, player->from + 1);
  ASSERT_TRUE(click("###play"));
  EXPECT_TRUE(player->playback.playing);
  for (int i = 0; i < 60; ++i) { driver_.app().frame(0.5); }
  EXPECT_EQ(player->cursor.position(), player->to);
  EXPECT_FALSE(player->playback.playing);
  EXPECT_EQ(state().cursor.position(), position) << "the window's own block stays where it is";

  ASSERT_TRUE(click("###show"));
  driver_.settle();
  EXPECT_EQ(state().cursor.position(), player->to);
}

TEST_F(LessonPanelTest, TheMapLeadsToALessonAndTheLessonToTheNext) {
  openCourseMap(state());
  driver_.settle();
  ASSERT_TRUE(click("boundaries"));
  EXPECT_EQ(view().shown, "boundaries");
  driver_.settle();
  EXPECT_FALSE(view().progress["boundaries"].read);
  scroll(1);
  EXPECT_TRUE(view().progress["boundaries"].read) << "it was on screen down to its end";
  ASSERT_TRUE(click("###next"));
  EXPECT_EQ(view().shown, view().course->neighbour("boundaries", 1)->id);
}

TEST_F(LessonPanelTest, TheOtherLanguageKeepsTheAnswersAndTheirMeaning) {
  open("sliding-sum");
  const std::string question = "an-output";
  const double right = asked(question).answer.number;
  ASSERT_TRUE(answer(question, questions::numberText(right)));
  toggleLanguage(state());
  driver_.settle();
  ASSERT_EQ(language(), Language::Chinese);
  EXPECT_EQ(view().course->language, "zh");
  EXPECT_EQ(view().shown, "sliding-sum");
  EXPECT_EQ(asked(question).answer.number, right);
  EXPECT_EQ(attempt(question).verdict, lessons::Attempt::Verdict::Right);
  ASSERT_TRUE(answer("products-of-an-output", questions::numberText(asked("products-of-an-output").answer.number)));
  EXPECT_EQ(view().progress["sliding-sum"].answered.size(), 2U);
}

TEST(LessonMemoryTest, ProgressIsThereTheNextTime) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("haloscope_course" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const auto withMemory = [&](AppOptions& options) {
    provideCourse(options);
    options.memory = folder;
  };
  {
    UiDriver driver(withMemory);
    openLesson(driver.state(), "boundaries");
    driver.state().lesson.progress["boundaries"] = {true, {"some-question"}};
    driver.settle();
  }
  EXPECT_TRUE(fs::exists(folder / "course.json"));
  {
    UiDriver driver(withMemory);
    EXPECT_EQ(driver.state().lesson.last, "boundaries");
    EXPECT_EQ(driver.state().lesson.progress["boundaries"], (LessonProgress{true, {"some-question"}}));
    EXPECT_TRUE(driver.state().lesson.shown.empty()) << "nothing opens by itself";
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace
}  // namespace haloscope::test
