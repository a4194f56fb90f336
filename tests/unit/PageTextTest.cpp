#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/Text.h"
#include "text/Csv.h"
#include "text/Html.h"
#include "text/JsonText.h"
#include "text/Print.h"
#include "text/Printable.h"
#include "text/SourceLine.h"

/// Any text in pages and tables.
namespace haloscope {
namespace {

TEST(PageTextTest, WhatCannotBeSeenBecomesVisible) {
  EXPECT_EQ(printable("a\nb\x1b[31m\xff"
                      "é\u202e"),
            "a\\nb\\x1b[31m\\xffé\\xe2\\x80\\xae");
  EXPECT_EQ(printable("\u2028\u2066\u009b"), "\\xe2\\x80\\xa8\\xe2\\x81\\xa6\\xc2\\x9b");
  EXPECT_EQ(printable("\u4e2d\u6587 \U0001f600"), "\u4e2d\u6587 \U0001f600");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printableLines("a\r\n\tb\rc"), "a\n\tb\\x0dc");
  EXPECT_EQ(escapedLines("a < b\r\nc\x01"), "a &lt; b\nc\\x01");
}

TEST(PageTextTest, LettersThatAreDrawnAsNothingAreShown) {
  for (const char* letter : {"\u034f", "\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}) {
    EXPECT_NE(printable(std::string("k") + letter), std::string("k") + letter);
  }
  EXPECT_EQ(printable("\u4e2d\uac00"), "\u4e2d\uac00");
}

TEST(PageTextTest, JsonHasNothingInvisible) {
  const std::string text = "a\x1b\x7f\u009b\u202e\u4e2d\n";
  const std::string written = jsonText(nlohmann::json{{"text", text}}, 2);
  EXPECT_EQ(written, "{\n  \"text\": \"a\\u001b\\u007f\\u009b\\u202e\u4e2d\\n\"\n}");
  EXPECT_EQ(nlohmann::json::parse(written).at("text"), text);
}

TEST(PageTextTest, PrintedArgumentsStayOnTheirLine) {
  const std::string name = "a\nb\x1b";
  testing::internal::CaptureStdout();
  printText("{}, {:>6}, {}, {}\n", name, name.c_str(), PrintedLines{name}, 7);
  printText("{}\n", fmt::join(std::array{name, name}, ", "));
  trPrint("{} and {:.1f}\n", std::string_view(name), 1.0);
  printCsv("a,\x1b\r\nb\r\n");
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "a\\nb\\x1b, a\\nb\\x1b, a\nb\\x1b, 7\na\nb\\x1b, a\nb\\x1b\na\\nb\\x1b and 1.0\na,\\x1b\r\nb\r\n");
}

TEST(PageTextTest, NothingIsMarkupOrAFormula) {
  EXPECT_EQ(escaped("<b a='\"'>&\x01"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;\\x01");
  EXPECT_EQ(escaped("\ta\tb\t"), "\ta\tb\t");
  EXPECT_EQ(linkTo("students/a b%<.html"), "students/a%20b%25%3C.html");
  EXPECT_EQ(escapedJson("</script>"), "\\u003c/script>");
  EXPECT_EQ(csvField("=1+1"), "'=1+1");
  EXPECT_EQ(csvField("plain"), "plain");
  EXPECT_EQ(csvField("a \"b\", c\r\nd"), "\"a \"\"b\"\", c\nd\"");
}

TEST(PageTextTest, ALineIsCutBetweenCharactersAlone) {
  EXPECT_EQ(characterEnd("aéb", 1), 1U);
  EXPECT_EQ(characterEnd("aéb", 2), 3U);
  EXPECT_EQ(characterEnd("\xf0\x9f\x98\x80", 3), 4U);
  EXPECT_EQ(characterEnd("\xff\xfe", 1), 1U) << "stray bytes are one each";
  EXPECT_EQ(characterEnd("a", 7), 1U);

  const std::array<LinePart, 2> halves = {LinePart{1, 2, "i"}, LinePart{2, 4, "b"}};
  EXPECT_EQ(lineHtml("aéb", halves), "a<i>é</i><b>b</b>");
  const std::array<LinePart, 1> stray = {LinePart{2, 4, "span class=\"x\""}};
  EXPECT_EQ(lineHtml("a<\xff\u00e9;", stray, "em"),
            "<em>a&lt;</em><span class=\"x\" data-bytes=\"3\">\\xffé</span><em>;</em>");
  EXPECT_EQ(lineHtml("", {}), "");
}

TEST(PageTextTest, LinesHaveNoLineBreaks) {
  EXPECT_EQ(linesOf("a\r\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(linesOf("").empty());
}

}  // namespace
}  // namespace haloscope
