#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Course.h"
#include "lessons/LessonExecution.h"
#include "questions/Questions.h"
#include "tests/pages/Browser.h"

// A lesson of a site, whose questions are answered in each browser as a reader answers them.

namespace haloscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LessonPageTest : public BrowserTest {
 protected:
  void writeLesson(const std::string& id) const {
    const std::string command = fmt::format("{} site '{}' --lesson {}", HALOSCOPE_BINARY, folder_.path().string(), id);
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
};

const std::string kHelpers = std::string(kUntil) + R"(
  const one = (name) => document.getElementById("question-" + name);
  const says = (section) => section.querySelector(".says")?.textContent ?? "";
  const told = async (section, button) => {
    section.querySelector(button).click();
    await until(() => section.querySelector(".says"));
    return says(section);
  };
  const asked = async (section) => {
    const before = section.querySelector(".ask").textContent;
    section.querySelector(".again").click();
    await until(() => section.querySelector(".ask").textContent !== before && document.activeElement.className === "ask");
  };
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
)";

TEST_P(LessonPageTest, ANumberIsJudgedAndAskedAgainWithOthers) {
  writeLesson("boundaries");
  const Catalogue catalogue = Catalogue::read(HALOSCOPE_SOURCE_DIR "/kernels");
  const lessons::Course course = lessons::Course::read(HALOSCOPE_SOURCE_DIR "/assets/lessons", "en", catalogue);
  const lessons::Lesson& lesson = course.at("boundaries");
  const auto index = static_cast<std::size_t>(lesson.findQuestion("skipped-products") - lesson.questions.data());
  const std::string again =
      questions::numberText(lessons::LessonExecution(catalogue).ask(lesson, index, 1).answer.number);
  const std::vector<std::string> lines = said(360, "en/course/boundaries.html",
                                              kHelpers + fmt::format(R"(
  const section = one("skipped-products"), field = section.querySelector("input");
  const lines = [section.querySelector(".written").hidden, field.labels[0].textContent.trim(), section.querySelector(".verdict").getAttribute("role")];
  field.value = "7";
  lines.push(await told(section, ".check"), section.querySelector(".verdict a").getAttribute("href"));
  field.value = "12";
  field.dispatchEvent(new Event("input", {{bubbles: true}}));
  lines.push(says(section), await told(section, ".check"), field.disabled);
  await asked(section);
  lines.push(field.value, field.disabled);
  field.value = "{}";
  lines.push(await told(section, ".check"), document.documentElement.scrollWidth <= innerWidth);
  return lines;
)",
                                                                     again));
  EXPECT_THAT(lines, ElementsAre("true", "Your answer", "status", "Not yet.",
                                 HasSubstr("../variants/convolution/1d_basic.html#BLOCK_X=8&FILTER_RADIUS=3&width=12"),
                                 "", "Right.", "true", "", "false", "Right.", "true"));
}

TEST_P(LessonPageTest, CellsAreChosenByKey) {
  writeLesson("boundaries");
  EXPECT_THAT(
      said(1280, "en/course/boundaries.html", kHelpers + R"(
  const section = one("where-ghosts-are"), cells = () => [...section.querySelectorAll("[data-cell]")];
  const lines = [cells().filter((cell) => cell.tabIndex === 0).length, cells()[1].getAttribute("aria-label")];
  cells()[0].focus();
  press("ArrowRight");
  document.activeElement.click();
  lines.push(document.activeElement.dataset.cell, document.activeElement.getAttribute("aria-pressed"), await told(section, ".check"));
  section.querySelector(".verdict button").click();
  await until(() => section.querySelector("[data-cell].right"));
  lines.push(cells().filter((cell) => cell.classList.contains("right")).length, says(section).slice(0, 19));
  return lines;
)"),
      ElementsAre("1", "in[-3]", "1", "true", "Not yet. Right: 1, wrong: 0, missing: 5.", "6", "The answer: 6 cells"));
}

TEST_P(LessonPageTest, LinesAndChoicesAreJudgedInChinese) {
  writeLesson("convolution-3d");
  const std::vector<std::string> lines = said(360, "zh/course/convolution-3d.html", kHelpers + R"(
  const sections = [...document.querySelectorAll(".question")];
  const choice = sections.find(({dataset}) => dataset.kind === "choice"), line = sections.find(({dataset}) => dataset.kind === "line");
  const lines = [];
  for (const section of [choice, line]) {
    const fields = [...section.querySelectorAll("input[type=radio]")];
    for (const field of fields) {
      field.click();
      if (await told(section, ".check") === "正确。") break;
    }
    lines.push(says(section), section.querySelectorAll("label.right").length > 0);
  }
  return [...lines, document.documentElement.scrollWidth <= innerWidth];
)");
  EXPECT_THAT(lines, ElementsAre("正确。", "true", "正确。", "true", "true"));
}

TEST_P(LessonPageTest, ProgressStaysInTheBrowser) {
  writeLesson("boundaries");
  const std::string root = "file://" + folder_.path().string();
  const std::string state = R"(
  const row = document.querySelector("[data-lesson=boundaries]"), text = (name) => document.querySelector(name).textContent;
)";
  EXPECT_THAT(said(360, "en/course/boundaries.html",
                   kHelpers + R"(
  const section = one("skipped-products");
  const lines = [section.querySelector(".done").hidden];
  section.querySelector("input").value = "12";
  lines.push(await told(section, ".check"), section.querySelector(".done").hidden);
  await asked(section);
  document.querySelector("footer").scrollIntoView();
  await until(() => /read/.test(localStorage.getItem("haloscope.progress")));
  return lines;
=== )" + root + "/en/course/boundaries.html\n" +
                       kHelpers + R"(
  const section = one("skipped-products");
  const lines = [section.querySelector(".done").hidden];
  await asked(section);
  return [...lines, JSON.parse(localStorage.getItem("haloscope.progress")).lessons.boundaries.seeds["skipped-products"]];
=== )" + root + "/zh/index.html\n" +
                       state + R"(
  const lines = [row.querySelector(".state").textContent, text(".onward a"), document.documentElement.scrollWidth <= innerWidth];
  document.querySelector(".overview summary").click();
  document.querySelector(".forget").click();
  return [...lines, row.querySelector(".state").textContent, document.querySelector(".overview details").hidden, localStorage.getItem("haloscope.progress")];
)"),
              ElementsAre("true", "Right.", "false", "false", "2", "已答对 1/4 题", HasSubstr("端点之外"), "true", "",
                          "true", "{\"lessons\":{}}"));
}

TEST_P(LessonPageTest, WithoutStorageAQuestionIsAnsweredAllTheSame) {
  writeLesson("boundaries");
  // Before any script of the page, storage is what a browser that refuses it has.
  const std::string path = (folder_.path() / "lesson.js").string();
  folder_.write("lesson.js",
                "Object.defineProperty(globalThis, \"localStorage\", {get() { throw new Error(\"refused\"); }});\n" +
                    readWhole(path).value_or(""));
  EXPECT_THAT(said(360, "en/course/boundaries.html", kHelpers + R"(
  const section = one("skipped-products");
  section.querySelector("input").value = "12";
  return [await told(section, ".check"), section.querySelector(".done").hidden];
)"),
              ElementsAre("Right.", "false"));
}

INSTANTIATE_TEST_SUITE_P(Browsers, LessonPageTest, testing::Values("chromium", "firefox-esr"), browserName);

}  // namespace
}  // namespace haloscope
