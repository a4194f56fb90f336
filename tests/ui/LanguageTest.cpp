#include "language/Language.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "TextRoom.h"
#include "UiDriver.h"
#include "actions/ExerciseActions.h"
#include "actions/LessonFollowing.h"
#include "actions/StartPageActions.h"
#include "actions/TypedCellActions.h"
#include "actions/ViewActions.h"
#include "checking/Check.h"
#include "exercises/Worked.h"
#include "lessons/Course.h"
#include "parts/FigureList.h"
#include "state/ExerciseView.h"
#include "state/StartPage.h"
#include "state/TypedCell.h"
#include "tests/kernels/Sampled.h"
#include "ui/window/PanelList.h"

namespace haloscope::test {
namespace {

struct Looks {
  Language language;
  bool light;
};

class TextRoomTest : public ::testing::TestWithParam<Looks> {
 protected:
  TextRoomTest() : driver_(withCourse) { driver_.settle(); }
  void SetUp() override { ASSERT_EQ(language(), GetParam().language) << driver_.state().languageProblem; }
  ~TextRoomTest() override { setLanguage(Language::English); }
  void expectReadable(const std::string& what) {
    driver_.settle();
    driver_.settle();  // tables take the width of their words a frame later
    for (const std::string& one : unreadableTexts(*ImGui::GetDrawData())) { ADD_FAILURE() << what << ": " << one; }
  }

  UiDriver driver_;

 private:
  static void withCourse(AppOptions& options) {
    const std::filesystem::path assets = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets";
    AppState& state = options.state;
    state.view.language = GetParam().language;
    state.view.light = GetParam().light;
    state.lesson.course = std::make_shared<const lessons::Course>(
        lessons::Course::read(assets / "lessons", languageCode(GetParam().language), state.catalogue));
    state.lesson.manual = std::make_shared<const lessons::Course>(
        lessons::Course::readManual(assets / "manual", languageCode(GetParam().language)));
    state.exercise.kernels = exercises::readKernels(assets);
  }
};

TEST_P(TextRoomTest, EveryPanelHasRoomForItsTexts) {
  AppState& state = driver_.state();
  for (const ui::Panel* panel : ui::panels()) {
    state.view.tabs.bringToFront(panel->tab);
    expectReadable(panel->title);
  }
  state.view.tabs.bringToFront(Tab::Figures);
  for (const ListedFigure& figure : listedFigures()) {
    state.figures.inFront = figure.id;
    expectReadable(figure.id);
  }
}

TEST_P(TextRoomTest, DialogsAndTheComparisonHaveRoomForTheirTexts) {
  AppState& state = driver_.state();
  for (const char* page : {"keyboard", "check", "findings"}) {
    openManual(state, page);
    expectReadable(page);
  }
  state.view.showHelp = false;
  state.view.showAbout = true;
  expectReadable("about");
  state.view.showAbout = false;
  openGlossary(state, "halo cell");
  expectReadable("glossary");
  state.view.showHelp = false;
  openFileDialog(state);
  expectReadable("file dialog");
  closeTopmost(state);
  showStartPage(state);
  expectReadable("start page");
  leaveStartPage(state);
  typeArray(state, "in");
  expectReadable("typed numbers");
  ImGui::ClosePopupsExceptModals();
  state.languageProblem =
      "fonts not found: NotoSansCJK-Regular.ttc (Debian: apt-get install fonts-noto-cjk); the texts are English";
  expectReadable("problem of the language");
  state.languageProblem.clear();
  state.choice.withoutBarriers = {50};
  state.view.tabs.bringToFront(Tab::Findings);
  expectReadable("findings");
}

TEST_P(TextRoomTest, NoLessonsTextIsCutOff) {
  AppState& state = driver_.state();
  state.view.tabs.bringToFront(Tab::Lesson);
  openCourseMap(state);
  expectReadable("map of the course");
  for (const lessons::Lesson& lesson : state.lesson.course->lessons) {
    EXPECT_EQ(lesson.language, languageCode(GetParam().language)) << lesson.id;
    openLesson(state, std::string(lesson.id));
    for (const float share : {0.0F, 0.35F, 0.7F, 1.0F}) {
      state.lesson.scrollTo = share;
      driver_.settle();
      for (const std::string& one : cutTexts(*ImGui::GetDrawData())) { ADD_FAILURE() << lesson.id << ": " << one; }
    }
  }
}

TEST_P(TextRoomTest, EveryExerciseHasRoomForItsTexts) {
  AppState& state = driver_.state();
  state.view.tabs.bringToFront(Tab::Exercises);
  for (const exercises::Exercise& exercise : exercises::exercises()) {
    chooseExercise(state, exercise.id);
    for (const exercises::Part& part : exercise.parts) { state.exercise.shown.insert(part.id); }
    expectReadable(exercise.id);
  }
}

/// A theme has colours, which take no room: both with both languages are tried before a release.
std::vector<Looks> looks() {
  static const std::vector<Looks> kLooks = [] {
    std::vector<Looks> all{{Language::English, false}, {Language::Chinese, true}};
    if (isThorough()) { all.insert(all.end(), {{Language::English, true}, {Language::Chinese, false}}); }
    sayTried(all.size(), 4, "languages with a theme");
    return all;
  }();
  return kLooks;
}

INSTANTIATE_TEST_SUITE_P(BothLanguagesAndThemes, TextRoomTest, ::testing::ValuesIn(looks()));

TEST(LanguageSwitchTest, WhatIsOnScreenChangesAndStaysWhereItIs) {
  UiDriver driver([](AppOptions& options) {
    options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
      return checking::check(experiment, stop);
    };
  });
  AppState& state = driver.state();
  state.choice.withoutBarriers = {50};
  state.view.tabs.bringToFront(Tab::Findings);
  driver.settle();
  ASSERT_NE(state.report, nullptr);
  ASSERT_FALSE(state.report->findings.empty());
  const std::string english = state.report->findings.front().message;
  const ImGuiWindow* const window = windowOf(state, Tab::Findings);
  const ImGuiID place = window->DockId;

  toggleLanguage(state);
  driver.settle();
  EXPECT_EQ(language(), Language::Chinese);
  EXPECT_NE(state.report->findings.front().message, english);
  EXPECT_EQ(windowOf(state, Tab::Findings), window);
  EXPECT_EQ(window->DockId, place);
  EXPECT_TRUE(state.view.tabs.inFront(Tab::Findings));

  toggleLanguage(state);
  driver.settle();
  EXPECT_EQ(state.report->findings.front().message, english);
}

}  // namespace
}  // namespace haloscope::test
