#include "lessons/Course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "site/LessonHtml.h"

// The pages of `haloscope site`.

namespace haloscope::site {
namespace {

using lessons::Lesson;
using lessons::Link;
using testing::HasSubstr;

std::string formula(const std::string& tex) {
  return formulaHtml(tex, [](std::size_t) { return nullptr; }, false);
}

TEST(Site, FormulasAreMathMl) {
  EXPECT_THAT(formula("\\frac{1}{x}"), HasSubstr("<mfrac><mrow><mn>1</mn></mrow><mrow><mi>x</mi></mrow></mfrac>"));
  EXPECT_THAT(formula("a \\lt b"), HasSubstr("<mo>&lt;</mo>"));
  EXPECT_THAT(formula("\\sum_{i=0}^{n} i"), HasSubstr("<munderover><mo>∑</mo>"));
  EXPECT_THAT(formula("f(x - h)"), HasSubstr("<mo stretchy=\"false\">(</mo>"));
  EXPECT_THAT(formula("(\\frac{a}{3})"), HasSubstr("<mo>(</mo>"));
}

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) { ++count; }
  return count;
}

TEST(Site, PagesOfTheManualHaveBalancedListsAndTheirLinks) {
  for (const char* const language : {"en", "zh"}) {
    const lessons::Course manual =
        lessons::Course::readManual(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets/manual", language);
    ASSERT_FALSE(manual.lessons.empty());
    for (const Lesson& page : manual.lessons) {
      std::size_t links = 0;
      const std::string html = lessonHtml(page, {.values = [](std::size_t) { return nullptr; },
                                                 .address =
                                                     [&](const Link& link) {
                                                       ++links;
                                                       if (link.kind == Link::Kind::Page) {
                                                         EXPECT_NE(manual.find(link.target), nullptr) << link.target;
                                                       }
                                                       return "to:" + link.target;
                                                     },
                                                 .picture = [](const lessons::Block& block) { return block.text; }});
      for (const std::string list : {"ul", "ol", "li", "p", "table"}) {
        EXPECT_EQ(countOf(html, "<" + list + ">"), countOf(html, "</" + list + ">")) << page.path << " " << list;
      }
      EXPECT_EQ(countOf(html, "href=\"to:"), links) << page.path;
    }
  }
}

}  // namespace
}  // namespace haloscope::site
