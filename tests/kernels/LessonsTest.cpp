#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "lessons/Course.h"
#include "lessons/CourseCheck.h"
#include "lessons/Formula.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonFacts.h"
#include "lessons/LessonReader.h"
#include "lessons/LessonText.h"
#include "program/SourceLocation.h"

// Lesson files that are made here, of a tile of 8 × 8 inputs around 6 × 6 outputs.

namespace haloscope::lessons {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

const std::string kFront =
    "---\ntitle: Tiles\nsection: \"7.4\"\nkernel: convolution/tiled_input_block\n"
    "with: {width: 24, height: 18, FILTER_RADIUS: 1, IN_TILE_DIM: 8}\n---\n";  // the body begins in line 7

Lesson lessonOf(const std::string& body) { return readLesson("06-tiles.md", kFront + body, test::catalogue()); }

std::string questionText(const std::string& rest) {
  return "```question\nid: q\nask: How many?\nbecause: So.\n" + rest + "```\n";
}

/// "line: message" of each problem.
std::vector<std::string> problemsOf(const Lesson& lesson) {
  std::vector<std::string> problems;
  for (const SourceError& problem : lesson.problems) {
    problems.push_back(std::to_string(problem.where().line) + ": " + problem.message());
  }
  return problems;
}

std::string onlyProblem(const std::string& body) {
  const std::vector<std::string> problems = problemsOf(lessonOf(body));
  EXPECT_THAT(problems, SizeIs(1));
  return problems.empty() ? "" : problems.front();
}

TEST(LessonFiles, AreReadWithoutAProblem) {
  const Lesson lesson = lessonOf("A [block](window:block=1,1,0) loads {{block.loads}}.\n" +
                                 questionText("kind: number\nanswer: block.halo\n"));
  EXPECT_THAT(problemsOf(lesson), IsEmpty());
  EXPECT_EQ(lesson.id, "tiles");
  EXPECT_THAT(lesson.links, SizeIs(1));
  EXPECT_THAT(lesson.values, SizeIs(1));
  EXPECT_THAT(lesson.questions, SizeIs(1));
}

TEST(LessonFiles, WithoutFrontMatterHaveAProblemAndNoCrash) {
  const Lesson lesson = readLesson("01-x.md", "# Words\n\n{{block.loads}}\n", test::catalogue());
  ASSERT_THAT(lesson.problems, SizeIs(1));
  EXPECT_THAT(lesson.problems.front().message(), HasSubstr("between two lines of ---"));
}

TEST(LessonFiles, AnUnknownKernelIsNamedWithAProposal) {
  const Lesson lesson =
      readLesson("01-x.md", "---\ntitle: X\nsection: \"7.1\"\nkernel: stencil/tilde\n---\nText\n", test::catalogue());
  ASSERT_THAT(problemsOf(lesson), SizeIs(1));
  EXPECT_THAT(problemsOf(lesson).front(), HasSubstr("stencil/tiled"));
  EXPECT_THAT(lesson.blocks, SizeIs(1)) << "the rest is read";
}

TEST(LessonFiles, ABrokenLinkNamesItsLineAndTheKeys) {
  EXPECT_THAT(
      onlyProblem("Some words.\n\nA [link](window:blok=1,1,0).\n"),
      ::testing::AllOf(::testing::StartsWith("9: "), HasSubstr("\"blok\""), HasSubstr("kernel, block, thread")));
  EXPECT_THAT(onlyProblem("A [link](window:block=9,9,0).\n"), HasSubstr("block"));
  EXPECT_THAT(onlyProblem("A [link](windw:block=1).\n"), HasSubstr("window:"));
  EXPECT_THAT(onlyProblem("A [link](window:step=1&barrier=1).\n"), HasSubstr("only one of"));
}

TEST(LessonFiles, AQuestionThatCannotBeAskedNamesWhatItLacks) {
  EXPECT_THAT(onlyProblem(questionText("kind: number\n")), HasSubstr("answer"));
  EXPECT_THAT(onlyProblem(questionText("kind: guess\nanswer: threads\n")), HasSubstr("number, choice, cells or line"));
  EXPECT_THAT(onlyProblem(questionText("kind: choice\nchoices: [{text: a, when: 1 > 0}]\n")), HasSubstr("two or more"));
  EXPECT_THAT(onlyProblem(questionText("kind: number\nanswer: threads\nagain: {IN_TILE_DIM: [9, 4]}\n")),
              HasSubstr("not a range"));
  EXPECT_THAT(onlyProblem(questionText("kind: number\nanswer: threads\nagain: {TILE: [4, 9]}\n")), HasSubstr("TILE"));
  const std::string once = questionText("kind: number\nanswer: threads\n");
  EXPECT_THAT(onlyProblem(once + "\n" + once), HasSubstr("already"));
}

TEST(LessonFiles, AFormulaThatIsNotKnownIsAProblem) {
  EXPECT_THAT(onlyProblem("With $\\frac{1}{2$ of it.\n"), ::testing::StartsWith("7: "));
  EXPECT_THAT(onlyProblem("With $\\integral x$.\n"), HasSubstr("\\integral"));
}

TEST(LessonFormulas, AreOneLineInATerminal) {
  const auto plain = [](const char* tex) { return plainFormula(parseFormula(tex)); };
  EXPECT_EQ(plain("\\frac{2 \\cdot 25}{25 \\cdot 4}"), "(2 · 25)/(25 · 4)");
  EXPECT_EQ(plain("x^{2}"), plain("x^2"));
  EXPECT_THAT([&] { return plain("\\sqrt{x"); }, ::testing::Throws<InputError>());
}

TEST(LessonLinks, AreDecoded) {
  EXPECT_THAT(linkPairs("OUT%5FTILE%5FDIM=8&at=in%28x%29"),
              ElementsAre(std::pair("OUT_TILE_DIM", "8"), std::pair("at", "in(x)")));
  EXPECT_THAT([] { return linkPairs("=8"); }, ::testing::Throws<InputError>());
}

TEST(LessonSettings, AnotherKernelTakesNothingButFreeNames) {
  Setting outer;
  outer.kernel = "stencil/tiled";
  outer.with = {{"N", 20}};
  outer.free = {{"i", 3}};
  Setting inner;
  inner.with = {{"IN_TILE_DIM", 4}};
  const Setting same = within(outer, inner);
  EXPECT_EQ(same.kernel, "stencil/tiled");
  EXPECT_EQ(same.with, (Bindings{{"IN_TILE_DIM", 4}, {"N", 20}}));
  inner.kernel = "stencil/basic";
  EXPECT_EQ(within(outer, inner).with, (Bindings{{"IN_TILE_DIM", 4}}));
  EXPECT_EQ(within(outer, inner).free, outer.free);
}

class AskedQuestions : public ::testing::Test {
 protected:
  AskedQuestion ask(const Lesson& lesson, std::uint64_t seed = 0) { return execution_.ask(lesson, 0, seed); }
  LessonExecution execution_{test::catalogue()};
};

TEST_F(AskedQuestions, AreAnsweredByExecuting) {
  const Lesson lesson = lessonOf(questionText("kind: number\nanswer: block.halo\n"));
  EXPECT_EQ(ask(lesson).answer.number, 8 * 8 - 6 * 6);
}

TEST_F(AskedQuestions, OtherNumbersFollowFromTheSeed) {
  const Lesson lesson = lessonOf(
      questionText("kind: number\nanswer: block.halo\nagain: {IN_TILE_DIM: [4, 12], FILTER_RADIUS: [1, 2]}\n"));
  std::set<double> answers;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const AskedQuestion asked = ask(lesson, seed);
    EXPECT_EQ(asked.seed, seed);
    const double tile = static_cast<double>(asked.setting.with.at("IN_TILE_DIM"));
    const double outputs = tile - 2 * static_cast<double>(asked.setting.with.at("FILTER_RADIUS"));
    EXPECT_GT(outputs, 0) << "numbers that cannot be launched are not drawn";
    EXPECT_EQ(asked.answer.number, tile * tile - outputs * outputs);
    EXPECT_EQ(ask(lesson, seed).setting, asked.setting);
    answers.insert(asked.answer.number);
  }
  EXPECT_GT(answers.size(), 3U);
}

TEST_F(AskedQuestions, ExactlyOneChoiceIsTrue) {
  const auto lesson = [](const char* first, const char* second) {
    return lessonOf(questionText(std::string("kind: choice\nchoices:\n  - {text: a, when: ") + first +
                                 "}\n  - {text: b, when: " + second + "}\n"));
  };
  EXPECT_EQ(ask(lesson("threads == 36", "threads == 64")).option, 1U);
  EXPECT_THAT([&] { ask(lesson("threads > 1", "threads > 2")); }, ThrowsMessage<InputError>(HasSubstr("1 and 2")));
  EXPECT_THAT([&] { ask(lesson("threads < 1", "threads < 2")); }, ::testing::Throws<InputError>());
}

TEST_F(AskedQuestions, AnAnswerOfAnotherKindIsRefused) {
  EXPECT_THAT([&] { ask(lessonOf(questionText("kind: number\nanswer: halo_cells\n"))); },
              ::testing::Throws<InputError>());
  EXPECT_THAT([&] { ask(lessonOf(questionText("kind: cells\nanswer: threads\n"))); }, ::testing::Throws<InputError>());
}

TEST_F(AskedQuestions, ANumberIsJudgedByItsTolerance) {
  const Lesson lesson = lessonOf(questionText("kind: number\nanswer: block.halo / block.loads\n"));  // 0.4375
  const AskedQuestion asked = ask(lesson);
  const auto verdict = [&](const char* typed) {
    Attempt attempt;
    attempt.typed = typed;
    judge(lesson.questions[0], asked, attempt);
    return attempt.verdict;
  };
  EXPECT_EQ(verdict("28/64"), Attempt::Verdict::Right);
  EXPECT_EQ(verdict("0.44"), Attempt::Verdict::Right);
  EXPECT_EQ(verdict("44 %"), Attempt::Verdict::Right);
  EXPECT_EQ(verdict("0.5"), Attempt::Verdict::Wrong);
  Attempt word;
  word.typed = "many";
  judge(lesson.questions[0], asked, word);
  EXPECT_EQ(word.verdict, Attempt::Verdict::Open) << "what is not a number is not a wrong answer";
  EXPECT_FALSE(word.complaint.empty());
}

TEST_F(AskedQuestions, CellsAreRightWhenNoneIsMissingAndNoneTooMany) {
  const Lesson lesson = lessonOf(questionText("kind: cells\nblock: \"1,1,0\"\nanswer: halo_cells\n"));
  const AskedQuestion asked = ask(lesson);
  ASSERT_EQ(asked.answer.cells.cells.size(), 28U);
  Attempt attempt;
  for (const recording::GridPoint& cell : asked.answer.cells.cells) {
    EXPECT_EQ(asked.board.cell(asked.board.number(cell)), cell);
    attempt.cells.insert(asked.board.number(cell));
  }
  judge(lesson.questions[0], asked, attempt);
  EXPECT_EQ(attempt.verdict, Attempt::Verdict::Right);
  attempt.cells.insert(asked.board.number({0, 8, 8}));  // an inner one
  judge(lesson.questions[0], asked, attempt);
  EXPECT_EQ(attempt.verdict, Attempt::Verdict::Wrong);
  EXPECT_THAT(answerText(lesson.questions[0], asked), HasSubstr("28 cells"));
}

TEST_F(AskedQuestions, AnyOfSeveralLinesIsRight) {
  const Lesson lesson = lessonOf(questionText("kind: line\nanswer: store_line\n"));
  const AskedQuestion asked = ask(lesson);
  ASSERT_THAT(asked.answer.lines, ::testing::Not(IsEmpty()));
  for (const int line : asked.answer.lines) {
    Attempt attempt;
    attempt.line = line;
    judge(lesson.questions[0], asked, attempt);
    EXPECT_EQ(attempt.verdict, Attempt::Verdict::Right);
  }
}

TEST_F(AskedQuestions, FactsAnswerThemOnlyWithTheirNumbers) {
  const Lesson lesson = lessonOf(questionText("kind: number\nanswer: threads\nagain: {IN_TILE_DIM: [4, 9]}\n"));
  LessonFacts facts;
  EXPECT_FALSE(facts.answers(lesson, {}));
  facts.hasValues = true;
  facts.questions = {std::make_shared<const AskedQuestion>(ask(lesson))};
  EXPECT_TRUE(facts.answers(lesson, {{"q", 0}}));
  EXPECT_FALSE(facts.answers(lesson, {{"q", 1}}));
  facts.animations = {nullptr};
  EXPECT_FALSE(facts.answers(lesson, {{"q", 0}}));
}

TEST(LessonAnimations, BeginBeforeTheirFirstStep) {
  const Lesson lesson = lessonOf("```steps\nfrom: {barrier: 1}\nto: {end: true}\n```\n");
  ASSERT_THAT(lesson.steps, SizeIs(1));
  LessonExecution execution(test::catalogue());
  const AnimatedSteps animated = execution.animate(lesson, lesson.steps[0]);
  const recording::Recording& recording = *animated.experiment->recording;
  EXPECT_EQ(animated.from, recording.intervals[1].firstStep);
  EXPECT_EQ(animated.to, recording.steps.size());
}

TEST(LessonAnimations, CannotRunBackwards) {
  const Lesson lesson = lessonOf("```steps\nfrom: {end: true}\nto: {barrier: 1}\n```\n");
  LessonExecution execution(test::catalogue());
  EXPECT_THAT([&] { return execution.animate(lesson, lesson.steps[0]); }, ThrowsMessage<InputError>(HasSubstr("from")));
  CourseCheck check;
  checkLesson(lesson, test::catalogue(), execution, 0, check);
  EXPECT_EQ(check.animations, 1U);
  EXPECT_THAT(check.problems, ElementsAre(HasSubstr("06-tiles.md:8: steps: ")));
}

TEST(LessonValues, HaveTheirFormat) {
  const Lesson lesson =
      lessonOf("{{block.halo / block.loads:%}} {{block.halo / block.loads:.3f}} {{all_threads * 100}}\n");
  LessonExecution execution(test::catalogue());
  std::vector<std::string> texts;
  for (const Value& value : lesson.values) { texts.push_back(execution.value(value, lesson.setting).text); }
  EXPECT_THAT(texts, ElementsAre("44 %", "0.438", "76,800"));
}

class CourseFolder : public ::testing::Test {
 protected:
  CourseFolder() : folder_(fs::path(::testing::TempDir()) / "haloscope_course") { fs::remove_all(folder_); }
  ~CourseFolder() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void write(const char* name, const std::string& section, const std::string& more = "") {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "---\ntitle: " << name << "\nsection: \"" << section
                                  << "\"\nkernel: convolution/1d_basic\n"
                                  << more << "---\nWords\n";
  }
  Course read(const char* language) { return Course::read(folder_, language, test::catalogue()); }

  fs::path folder_;
};

TEST_F(CourseFolder, ALessonThatIsNotTranslatedIsShownInEnglish) {
  write("en/01-a.md", "7.1");
  write("en/02-b.md", "8.1");
  write("zh/02-b.md", "8.1");
  const Course course = read("zh");
  ASSERT_THAT(course.lessons, SizeIs(2));
  EXPECT_EQ(course.lessons[0].language, "en");
  EXPECT_EQ(course.lessons[1].language, "zh");
  EXPECT_EQ(course.neighbour("a", 1)->id, "b");
  EXPECT_EQ(course.neighbour("b", 1), nullptr);
  EXPECT_THAT([&] { return course.at("c").title; }, ::testing::Throws<InputError>());
}

TEST_F(CourseFolder, OneBeyondTheBookBelongsToTheChapterBefore) {
  write("en/01-a.md", "7.1");
  write("en/02-b.md", "beyond");
  write("en/03-c.md", "8.1");
  const Course course = read("en");
  const std::vector<Chapter> parts = chapters(course);
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_THAT(parts[0].lessons, SizeIs(2));
  EXPECT_EQ(parts[1].number, 8);
}

TEST_F(CourseFolder, WhatALessonRestsOnMustExist) {
  write("en/01-a.md", "7.1", "rests_on: [nothing]\n");
  const Course course = read("en");
  ASSERT_THAT(course.lessons[0].problems, SizeIs(1));
  EXPECT_THAT(course.lessons[0].problems[0].message(), HasSubstr("nothing"));
}

TEST_F(CourseFolder, AMissingFolderIsAnEmptyCourse) { EXPECT_THAT(read("en").lessons, IsEmpty()); }

}  // namespace
}  // namespace haloscope::lessons
