#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "KernelCatalogue.h"
#include "lessons/Course.h"
#include "lessons/CourseTest.h"
#include "lessons/LessonExecution.h"

/// The test before and after the course.
namespace haloscope::lessons {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Course shipped(const std::string& language) {
  return Course::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "lessons", language, test::catalogue());
}

TEST(CourseTest, TwelveQuestionsCanBeAskedWithOtherNumbers) {
  for (const char* const language : {"en", "zh"}) {
    const Course course = shipped(language);
    const Lesson& test = course.test;
    EXPECT_EQ(test.language, language);
    ASSERT_EQ(test.questions.size(), 12U) << language;
    for (const Question& question : test.questions) {
      EXPECT_TRUE(question.kind == Question::Kind::Number || question.kind == Question::Kind::Choice) << question.id;
      EXPECT_FALSE(question.again.empty()) << question.id;
    }
    for (const Lesson& lesson : course.lessons) { EXPECT_NE(lesson.id, test.id) << "it is no lesson"; }
    EXPECT_EQ(course.find(test.id), &test);
  }
}

TEST(CourseTest, AfterTheCourseTheNumbersAreOthers) {
  const Course course = shipped("en");
  LessonExecution execution(test::catalogue());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < course.test.questions.size(); ++i) {
    const AskedQuestion before = execution.ask(course.test, i, 5), after = execution.ask(course.test, i, 6);
    differ += before.setting == after.setting ? 0 : 1;
  }
  EXPECT_GE(differ, 10U) << "of twelve: few values can come twice";
}

TEST(CourseTest, ATableForAClassSaysWhatWasRightAndNotWhose) {
  const Course course = shipped("en");
  TestResults results;
  const std::string none = testTable(course.test, results);
  EXPECT_THAT(none, HasSubstr("\n12,,,")) << "not taken";
  resultOf(results, TestTime::Before) = {.seed = 7, .day = "2026-11-29", .right = {{"halo-of-a-tile", true}}};
  resultOf(results, TestTime::After) = {
      .seed = 8, .day = "2026-11-30", .right = {{"halo-of-a-tile", true}, {"output-of-a-row", false}}};
  const std::string table = testTable(course.test, results);
  EXPECT_THAT(table, HasSubstr("questions,right before,right after,output-of-a-row before,output-of-a-row after,"));
  EXPECT_THAT(table, HasSubstr("\n12,1,1,,0,")) << "left open before, wrong after";
  EXPECT_THAT(table, HasSubstr(",1,1,")) << "the tile";
  EXPECT_THAT(table, Not(HasSubstr("2026"))) << "nor when";
  EXPECT_EQ(std::ranges::count(table, '\n'), 2);
}

}  // namespace
}  // namespace haloscope::lessons
