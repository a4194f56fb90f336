#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "TextFile.h"
#include "lessons/Course.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonReader.h"
#include "lessons/Markdown.h"
#include "program/SourceLocation.h"
#include "tests/kernels/KernelCatalogue.h"

// Damaged files of lessons: each fault is named with its line, and costs no more than what it concerns.

namespace haloscope::lessons {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kFront =
    "---\ntitle: A lesson\nsection: 7.1\nkernel: convolution/1d_basic\nwith: {width: 7}\n---\n";

Lesson lessonOf(const std::string& body) { return readLesson("a.md", kFront + body, test::catalogue()); }

TEST(LessonFilesTest, APrivateCharacterIsNoValue) {
  // What a value's mark looks like, in the text, in code, in a comment within code, and without its end.
  const Lesson lesson = lessonOf(
      "{{width}} one \xEE\x80\x80"
      "7\xEE\x80\x81 two\n\n`<!-- \xEE\x80\x80"
      "8\xEE\x80\x81 -->`\n\nthree \xEE\x80\x80"
      "9\n");
  ASSERT_EQ(lesson.values.size(), 1U);
  std::size_t values = 0;
  for (const Block& block : lesson.blocks) {
    for (const Span& span : block.spans) {
      if (span.kind != Span::Kind::Value) { continue; }
      ++values;
      EXPECT_EQ(span.value, 0U);
    }
  }
  EXPECT_EQ(values, 1U);
  ASSERT_FALSE(lesson.problems.empty());
  EXPECT_THAT(lesson.problems.front().what(), HasSubstr("a.md:7:1"));
  EXPECT_THAT(lesson.problems.front().what(), HasSubstr("private use"));
}

TEST(LessonFilesTest, WhatAReaderThrowsPassesTheParser) {
  Lesson lesson;
  Markdown markdown(
      lesson, [](const std::string&) -> Link { throw std::runtime_error("no link"); },
      [](const std::string&) { return std::filesystem::path(); }, [](Value&, const LinkPairs&) {},
      [](const std::string&, const std::string&, int) { return Block{}; });
  EXPECT_THROW(markdown.read("a [link](https://example.org)\n", 1), std::runtime_error);
}

TEST(LessonFilesTest, AFormatIsAPrecisionAndNothingElse) {
  const Lesson lesson = lessonOf("{{width:.2f}} {{width:%}} {{width:999999999.0f}} {{width:.99999999f}} {{width:x}}\n");
  LessonExecution execution(test::catalogue());
  ASSERT_EQ(lesson.values.size(), 5U);
  EXPECT_EQ(execution.value(lesson.values[0], lesson.setting).text, "7.00");
  EXPECT_EQ(execution.value(lesson.values[1], lesson.setting).text, "700 %");
  for (std::size_t i = 2; i < 5; ++i) {
    EXPECT_THROW(static_cast<void>(execution.value(lesson.values[i], lesson.setting)), InputError) << i;
  }
}

class LessonFolder : public ::testing::Test {
 protected:
  LessonFolder() : folder_(fs::path(::testing::TempDir()) / ("haloscope_lessons" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "en");
  }
  ~LessonFolder() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path folder_;
};

TEST_F(LessonFolder, AFileThatCannotBeReadIsSaid) {
  test::writeFile(folder_ / "en" / "01-good.md", std::string(kFront) + "Text.\n");
  fs::create_directories(folder_ / "en" / "02-folder.md");
  const Course course = Course::read(folder_, "en", test::catalogue());
  ASSERT_EQ(course.lessons.size(), 2U);
  EXPECT_TRUE(course.lessons[0].problems.empty());
  ASSERT_EQ(course.lessons[1].problems.size(), 1U);
  EXPECT_THAT(course.lessons[1].problems[0].what(), HasSubstr("cannot be read"));
}

TEST_F(LessonFolder, AnUnknownLessonToRestOnIsNamedWithItsLine) {
  test::writeFile(folder_ / "en" / "01-a.md",
                  "---\ntitle: A\nsection: 7.1\nkernel: convolution/1d_basic\nrests_on: [none]\n---\nText.\n");
  const Course course = Course::read(folder_, "en", test::catalogue());
  ASSERT_EQ(course.lessons.front().problems.size(), 1U);
  EXPECT_THAT(course.lessons.front().problems[0].what(), HasSubstr("01-a.md:5:1"));
}

}  // namespace
}  // namespace haloscope::lessons
