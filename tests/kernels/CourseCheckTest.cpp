#include "lessons/CourseCheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "KernelCatalogue.h"
#include "lessons/Course.h"
#include "lessons/LessonExecution.h"

// `haloscope lesson --check`: what it finds wrong with lessons, and that it passes over nothing.

namespace haloscope::lessons {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char kHead[] =
    "---\n"
    "title: A lesson\n"
    "section: \"7.1\"\n"
    "kernel: convolution/1d_basic\n"
    "with: {width: 7, FILTER_RADIUS: 1, BLOCK_X: 8}\n"
    "---\n";

std::string question(const std::string& choices) {
  return "```question\nid: which\nask: Which?\nkind: choice\nagain: {FILTER_RADIUS: \"1 2 3\"}\nchoices:\n" + choices +
         "because: So it is.\n```\n";
}

class CourseCheckTest : public ::testing::Test {
 protected:
  CourseCheckTest()
      : folder_(fs::temp_directory_path() /
                ("haloscope-course-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
  }
  ~CourseCheckTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const std::string& language, const std::string& text) const {
    fs::create_directories(folder_ / language);
    std::ofstream(folder_ / language / "01-one.md") << kHead << text;
  }
  [[nodiscard]] Course read(const std::string& language) const {
    return Course::read(folder_, language, test::catalogue());
  }
  [[nodiscard]] CourseCheck checked(const std::string& text) const {
    write("en", text);
    CourseCheck check;
    LessonExecution execution(test::catalogue());
    const Course course = read("en");
    for (const Lesson& lesson : course.lessons) { checkLesson(lesson, test::catalogue(), execution, 3, check); }
    return check;
  }

  fs::path folder_;
};

TEST_F(CourseCheckTest, CountsLinksOfEveryKind) {
  const CourseCheck check = checked(
      "A [ghost cell](term:ghost cell), [an exercise](exercise:ghost-1d), [this](lesson:one), [there](window:step=1).\n"
      "{{ghost.cells}}\n");
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(check.links, 4U);
  EXPECT_EQ(check.values, 1U);
}

TEST_F(CourseCheckTest, FindsLinksThatLeadNowhere) {
  const CourseCheck check = checked("[a](term:gost cell)\n\n[b](exercise:ghost-9d)\n\n[c](lesson:two)\n");
  EXPECT_THAT(check.problems, ElementsAre(HasSubstr("01-one.md:7:1: the link term:gost cell: the glossary has no such"),
                                          HasSubstr("01-one.md:9:1: exercise:ghost-9d: there is no exercise"),
                                          HasSubstr("01-one.md:11:1: the link lesson:two")));
  EXPECT_EQ(check.links, 0U);
}

TEST_F(CourseCheckTest, FindsNumbersWithWhichAQuestionFails) {
  const CourseCheck check =
      checked(question("  - text: one\n    when: FILTER_RADIUS == 1\n  - text: more\n    when: FILTER_RADIUS == 2\n"));
  // Radius 3 is drawn sooner or later.
  EXPECT_THAT(check.problems, Each(HasSubstr("none of its choices is true")));
  const CourseCheck both =
      checked(question("  - text: one\n    when: FILTER_RADIUS >= 1\n  - text: more\n    when: FILTER_RADIUS >= 1\n"));
  EXPECT_THAT(both.problems, SizeIs(4)) << "for the file's numbers and for each draw";
  EXPECT_THAT(both.problems, Each(HasSubstr("choices 1 and 2 are both true")));
}

TEST_F(CourseCheckTest, SaysWhatThisMachineCannotExecute) {
  const CourseCheck check = checked("{{registers}} and {{taps}}\n");
  EXPECT_THAT(check.problems, IsEmpty());
  EXPECT_EQ(check.values + check.notExecuted.size(), 2U);
}

TEST_F(CourseCheckTest, ComparesTheLanguages) {
  write("en", "{{taps}} and {{ghost.cells}}, [a](term:warp)\n");
  CourseCheck missing;
  compareLanguages(read("en"), read("zh"), missing);
  EXPECT_THAT(missing.problems, ElementsAre(HasSubstr("01-one.md:1: this lesson is missing in the language zh")));
  write("zh", "{{taps}} 和 {{taps}}，[a](term:warp)\n");
  CourseCheck check;
  compareLanguages(read("en"), read("zh"), check);
  EXPECT_THAT(check.problems, ElementsAre(HasSubstr("has no such thing: value {{ghost.cells")));
  CourseCheck other;
  compareLanguages(read("zh"), read("en"), other);
  EXPECT_THAT(other.problems, IsEmpty());
}

}  // namespace
}  // namespace haloscope::lessons
