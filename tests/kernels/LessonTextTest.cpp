#include "lessons/LessonText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "language/LineBreaks.h"
#include "lessons/Formula.h"

namespace haloscope::test {
namespace {

std::string plain(const std::string& tex) { return lessons::plainFormula(lessons::parseFormula(tex)); }

TEST(LessonText, ASignIsNoOperation) {
  EXPECT_EQ(plain("1, -2, 1"), "1, −2, 1");
  EXPECT_EQ(plain("a - b"), "a − b");
  EXPECT_EQ(plain("x = -1"), "x = −1");
  EXPECT_EQ(plain("2 \\cdot -3"), "2 · −3");
}

TEST(LessonText, AWordAsAnIndexHasNoBrackets) {
  EXPECT_EQ(plain("T_{in} = T_{out} + 2r"), "T_in = T_out + 2r");
  EXPECT_EQ(plain("x_{i+1}"), "x_(i + 1)");
}

TEST(LessonText, NoWrappedLineIsWiderThanATerminalOrBeginsWithAClosingSign) {
  std::string text;
  for (int i = 0; i < 40; ++i) { text += "线程块加载它的输入图块（input tile），包括光环；"; }
  std::istringstream lines(lessons::wrapped(text, "  ", "1. "));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(terminalColumns(line), 80U) << line;
    for (const char* sign : {"  ，", "  ；", "  ）"}) { EXPECT_FALSE(line.starts_with(sign)) << line; }
    EXPECT_FALSE(line.ends_with("（")) << line;
  }
  EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace haloscope::test
