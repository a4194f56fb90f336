#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <latch>
#include <thread>

#include "UiDriver.h"
#include "actions/ExerciseActions.h"
#include "exercises/Worked.h"
#include "language/Language.h"
#include "lessons/Course.h"
#include "live/ExerciseRunner.h"
#include "live/LessonRunner.h"
#include "state/ExerciseView.h"
#include "tests/kernels/KernelCatalogue.h"

// What lessons and exercises execute beside the frames.

namespace haloscope::test {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets";

void showExercises(AppState& state) {
  state.exercise.kernels = exercises::readKernels(kAssets);
  state.view.tabs.bringToFront(Tab::Exercises);
}

TEST(CourseWorkTest, AFrameComesForTheAnswersWithoutAnyInput) {
  using namespace std::chrono_literals;
  UiDriver driver([](AppOptions& options) { showExercises(options.state); });
  // Frames go on for a while after the start, and while the course is worked ahead.
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (driver.app().secondsToNextChange() < FramePacer::kSleep && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(100ms);
    driver.app().frame(0.1);
  }
  ASSERT_GE(driver.app().secondsToNextChange(), FramePacer::kSleep);
  const auto before = driver.state().exercise.worked;
  ASSERT_NE(before, nullptr);
  drawOtherNumbers(driver.state());
  driver.app().frame(0.1);
  EXPECT_LT(driver.app().secondsToNextChange(), FramePacer::kSleep);
  driver.settle();
  EXPECT_NE(driver.state().exercise.worked, before);
  EXPECT_EQ(driver.state().exercise.worked->typed, driver.state().exercise.typed);
}

/// Executions use every core: what is not urgent waits for them.
void updateBeside(ExerciseRunner& beside, AppState& state) { beside.update(state); }
void updateBeside(LessonRunner& beside, AppState& state, bool idle = false) {
  beside.receive(state);
  beside.ask(state, idle);  // of a lesson that was just opened nothing yet
  beside.ask(state, idle);
}

template <typename Beside, typename Done>
void expectItHasTheCores(AppState& state, Done done) {
  work::Pool pool(2);
  Beside beside(pool);
  updateBeside(beside, state);
  bool wasDone = false;
  std::latch ended(1);
  const auto later = pool.submit({work::Priority::Background, work::Cores::One}, [&](const std::stop_token&) {
    updateBeside(beside, state);  // nothing else uses it meanwhile
    wasDone = done(state);
    ended.count_down();
  });
  ended.wait();
  EXPECT_TRUE(wasDone);
  pool.wait(later);
}

TEST(CourseWorkTest, AnExerciseIsExecutedOnAllCores) {
  AppState state;
  state.catalogue = catalogue();
  showExercises(state);
  expectItHasTheCores<ExerciseRunner>(state, [](const AppState& now) { return now.exercise.worked != nullptr; });
}

AppState withCourse() {
  setLanguage(Language::English);
  AppState state;
  state.catalogue = catalogue();
  state.lesson.course =
      std::make_shared<const lessons::Course>(lessons::Course::read(kAssets / "lessons", "en", state.catalogue));
  return state;
}

TEST(CourseWorkTest, ALessonIsExecutedOnAllCores) {
  AppState state = withCourse();
  const lessons::Lesson& first = state.lesson.course->lessons.front();
  state.lesson.shown = first.id;
  expectItHasTheCores<LessonRunner>(state, [&](const AppState& now) {
    const auto facts = now.lesson.facts.find(first.id);
    return facts != now.lesson.facts.end() && facts->second->questions.size() == first.questions.size() &&
           facts->second->questions.back() != nullptr;
  });
}

bool isWorkedOut(const AppState& state, const lessons::Lesson& lesson) {
  const auto facts = state.lesson.facts.find(lesson.id);
  return facts != state.lesson.facts.end() && facts->second->answers(lesson, {});
}

TEST(CourseWorkTest, TheNextLessonsAreWorkedOutOnlyWhileNothingElseIs) {
  using namespace std::chrono_literals;
  AppState state = withCourse();
  const auto& all = state.lesson.course->lessons;
  state.view.tabs.enter(Workspace::Learn);
  state.view.tabs.show({Tab::Lesson});
  state.lesson.shown = all[1].id;
  work::Pool pool;
  LessonRunner beside(pool);
  beside.settle(state);
  ASSERT_TRUE(isWorkedOut(state, all[1]));
  updateBeside(beside, state);
  EXPECT_FALSE(beside.worksAhead());
  for (int i = 0; i < 3000 && !isWorkedOut(state, all[2]); ++i) {
    updateBeside(beside, state, true);
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_TRUE(isWorkedOut(state, all[2])) << "the next one first";
  EXPECT_FALSE(state.lesson.facts.contains(all[0].id));
  EXPECT_TRUE(beside.worksAhead());
  updateBeside(beside, state);
  EXPECT_FALSE(beside.worksAhead());
}

TEST(CourseWorkTest, FactsThatWereForgottenAreWorkedOutAgain) {
  AppState state = withCourse();
  const lessons::Lesson& first = state.lesson.course->lessons.front();
  state.lesson.shown = first.id;
  work::Pool pool;
  LessonRunner beside(pool);
  beside.settle(state);
  state.lesson.facts.clear();
  beside.settle(state);
  EXPECT_TRUE(isWorkedOut(state, first));
}

class InChinese : public ::testing::Test {
 protected:
  InChinese() {
    setLanguageFolder(std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
    setLanguage(Language::English);
  }
  ~InChinese() override { setLanguage(Language::English); }
};

TEST_F(InChinese, TheCourseIsReadBesideTheFrames) {
  AppState state = withCourse();
  state.lesson.attempts[{"a", "b"}].complaint = "not a number";
  const auto english = state.lesson.course;
  work::Pool pool;
  LessonRunner beside(pool);
  setLanguage(Language::Chinese);
  updateBeside(beside, state);
  EXPECT_EQ(state.lesson.course, english) << "the last one stays until then";
  EXPECT_TRUE(beside.busy());
  beside.settle(state);
  EXPECT_EQ(state.lesson.course->language, "zh");
  EXPECT_EQ((state.lesson.attempts[{"a", "b"}].complaint), "");
  setLanguage(Language::English);
  beside.settle(state);
  EXPECT_EQ(state.lesson.course->language, "en");
  setLanguage(Language::Chinese);
  beside.settle(state);
  EXPECT_EQ(state.lesson.course->language, "zh");
}

TEST_F(InChinese, AnExercisesProblemIsSaidAnew) {
  AppState state;
  state.catalogue = catalogue();
  showExercises(state);
  typeNumber(state.exercise, shownExercise(state).fields.front().name, "six");
  work::Pool pool;
  ExerciseRunner beside(pool);
  beside.settle(state);
  const std::string english = state.exercise.problem;
  EXPECT_NE(english, "");
  setLanguage(Language::Chinese);
  beside.settle(state);
  EXPECT_NE(state.exercise.problem, english);
  EXPECT_NE(state.exercise.problem, "");
}

}  // namespace
}  // namespace haloscope::test
