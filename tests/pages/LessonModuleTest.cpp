#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "handout/Columns.h"
#include "handout/LiveLesson.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonFacts.h"
#include "program/SourceLocation.h"
#include "questions/Origin.h"
#include "site/QuestionHtml.h"
#include "tests/pages/ModuleCalls.h"

// The questions of lessons, asked and judged by the module as by the program.

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

const fs::path kSources = HALOSCOPE_SOURCE_DIR;

const Catalogue& kernels() {
  static const Catalogue kCatalogue = Catalogue::read(kSources / "kernels");
  return kCatalogue;
}

const lessons::Course& course() {
  static const lessons::Course kCourse = lessons::Course::read(kSources / "assets/lessons", "en", kernels());
  return kCourse;
}

std::string nowhere(const lessons::Link& /*link*/) { return {}; }

Json factsOf(const std::string& answer) {
  return answer.size() < 4 ? Json() : Json::parse(answer.substr(4), nullptr, false);
}

std::string request(std::size_t question, std::uint64_t seed, Json more = Json::object()) {
  more["question"] = question;
  more["seed"] = seed;
  return container(more.dump(), {});
}

class LessonModule : public ModuleTest, public testing::WithParamInterface<std::string> {};

TEST_P(LessonModule, AsksAndAnswersAsTheProgramDoes) {
  const lessons::Lesson& lesson = course().at(GetParam());
  lessons::LessonExecution execution(kernels());
  std::set<std::size_t> live;
  std::vector<std::pair<std::string, std::string>> calls = {{"lesson", ""}};
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    const lessons::Question& question = lesson.questions[i];
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, kSeedsOfPage}) {
      if (seed > 0 && question.again.empty()) { continue; }
      lessons::AskedQuestion asked;
      try {
        asked = execution.ask(lesson, i, seed);
      } catch (const MissingError&) { continue; }
      if (asked.origins.contains(questions::Origin::Compiler)) { continue; }
      const site::Surroundings around{.values =
                                          [&](std::size_t value) {
                                            const auto found = asked.values.find(value);
                                            return found == asked.values.end() ? nullptr : &found->second;
                                          },
                                      .address = nowhere,
                                      .picture = {}};
      live.insert(i);
      calls.emplace_back("ask", request(i, seed));
      expected.push_back(site::questionParts(lesson, i, asked, around).ask);
      calls.emplace_back("judge", request(i, seed, {{"tell", true}}));
      expected.push_back(trf("The answer: {}", lessons::answerText(question, asked)));
    }
  }
  if (live.empty()) { GTEST_SKIP() << "it has no question that a page can execute"; }
  calls.front().second = liveLesson(lesson, live, kernels(), nowhere);
  const std::vector<std::string> answers = moduleAnswers(calls, HALOSCOPE_SITE_MODULE);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Json facts = factsOf(answers[i + 1]);
    EXPECT_EQ(facts.value(i % 2 == 0 ? "ask" : "says", ""), expected[i]) << facts.dump();
  }
}

std::vector<std::string> lessonIds() {
  std::vector<std::string> ids;
  for (const lessons::Lesson& lesson : course().lessons) { ids.push_back(lesson.id); }
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Course, LessonModule, testing::ValuesIn(lessonIds()), [](const auto& lesson) {
  std::string name = lesson.param;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

TEST_F(ModuleTest, AnswersOfALessonAreJudged) {
  const lessons::Lesson& lesson = course().at("boundaries");
  const auto cells = static_cast<std::size_t>(lesson.findQuestion("where-ghosts-are") - lesson.questions.data());
  const auto number = static_cast<std::size_t>(lesson.findQuestion("skipped-products") - lesson.questions.data());
  const std::string opened = liveLesson(lesson, {cells, number}, kernels(), nowhere);
  const std::vector<std::string> answers = moduleAnswers({{"judge", request(number, 0)},
                                                          {"lesson", opened},
                                                          {"judge", request(number, 0, {{"typed", "12"}})},
                                                          {"judge", request(number, 0, {{"typed", "3 * (3 + 1) - 1"}})},
                                                          {"judge", request(number, 0, {{"typed", "twelve"}})},
                                                          {"judge", request(cells, 0, {{"cells", {1, 2, 3}}})},
                                                          {"judge", request(99, 0, {{"typed", "1"}})},
                                                          {"lesson", opened.substr(0, opened.size() / 2)}},
                                                         HALOSCOPE_SITE_MODULE);
  EXPECT_THAT(answers[0], HasSubstr("error"));
  EXPECT_EQ(factsOf(answers[2]).value("right", false), true) << answers[2];
  EXPECT_THAT(factsOf(answers[2]).value("because", ""), HasSubstr("r(r+1)"));
  EXPECT_EQ(factsOf(answers[3]).value("says", ""), "Not yet.");
  EXPECT_THAT(factsOf(answers[3]).value("look", ""), HasSubstr("../variants/convolution/1d_basic.html#"));
  EXPECT_THAT(factsOf(answers[4]).value("complaint", ""), HasSubstr("twelve"));
  EXPECT_EQ(factsOf(answers[5]).value("says", ""), "Not yet. Right: 3, wrong: 0, missing: 3.");
  EXPECT_THAT(answers[6], HasSubstr("error"));
  EXPECT_THAT(answers[7], HasSubstr("error"));
}

}  // namespace
}  // namespace haloscope::handout
