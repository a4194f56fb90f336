#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <latch>
#include <thread>

#include "UiDriver.h"
#include "exercises/Worked.h"
#include "language/Language.h"
#include "lessons/Course.h"
#include "lessons/LessonWork.h"
#include "live/ExerciseRunner.h"
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
  std::this_thread::sleep_for(1s);  // frames go on for a while after the start
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
template <typename Beside, typename Done>
void expectItHasTheCores(AppState& state, Done done) {
  work::Pool pool(2);
  Beside beside(pool);
  beside.update(state);
  bool wasDone = false;
  std::latch ended(1);
  const auto later = pool.submit({work::Priority::Background, work::Cores::One}, [&](const std::stop_token&) {
    beside.update(state);  // nothing else uses it meanwhile
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
  expectItHasTheCores<lessons::LessonWork>(state, [&](const AppState& now) {
    const auto facts = now.lesson.facts.find(first.id);
    return facts != now.lesson.facts.end() && facts->second->questions.size() == first.questions.size() &&
           facts->second->questions.back() != nullptr;
  });
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
  lessons::LessonWork beside(pool);
  setLanguage(Language::Chinese);
  beside.update(state);
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
