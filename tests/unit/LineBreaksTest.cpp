#include "language/LineBreaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace haloscope::test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> pieces(std::string_view text, std::string_view before = {}) {
  std::vector<std::string> result;
  for (const LinePiece& piece : linePieces(text, before)) {
    result.push_back((piece.spaced ? " " : piece.mayBegin ? "" : "+") + std::string(piece.text));
  }
  return result;
}

TEST(LineBreaks, EnglishIsDividedAtSpaces) {
  EXPECT_THAT(pieces("one (two), three."), ElementsAre("one", " (two),", " three."));
  EXPECT_THAT(pieces("  one\ntwo "), ElementsAre(" one", " two"));
  EXPECT_THAT(pieces(""), ElementsAre());
}

TEST(LineBreaks, ChineseIsDividedBetweenCharacters) {
  EXPECT_THAT(pieces("输入图块"), ElementsAre("输", "入", "图", "块"));
  EXPECT_THAT(pieces("共 296 个halo单元"), ElementsAre("共", " 296", " 个", "halo", "单", "元"));
}

TEST(LineBreaks, ASignStaysWithWhatItClosesOrOpens) {
  EXPECT_THAT(pieces("图块（input tile）。"), ElementsAre("图", "块", "（input", " tile）。"));
  EXPECT_THAT(pieces("说“你好”，"), ElementsAre("说", "“你", "好”，"));
  EXPECT_THAT(pieces("一、二"), ElementsAre("一、", "二"));
}

TEST(LineBreaks, WhatStandsBeforeDecidesWhetherALineMayBegin) {
  EXPECT_THAT(pieces("，即", "块"), ElementsAre("+，", "即"));
  EXPECT_THAT(pieces("input", "（"), ElementsAre("+input"));
  EXPECT_THAT(pieces("input", "块"), ElementsAre("input"));
  EXPECT_THAT(pieces("s", "tile"), ElementsAre("+s"));
  EXPECT_THAT(pieces("，"), ElementsAre("，"));
}

TEST(LineBreaks, AChineseCharacterTakesTwoColumns) {
  EXPECT_EQ(terminalColumns("图块与光环"), 10U);
  EXPECT_EQ(terminalColumns("T × T"), 5U);
  EXPECT_EQ(terminalColumns("（in）"), 6U);
}

TEST(LineBreaks, BytesThatAreNoTextAreTakenAsTheyAre) {
  EXPECT_EQ(pieces("\xe5\x9b").size(), 1U);
  EXPECT_EQ(pieces("\x80 \xff").size(), 2U);
}

}  // namespace
}  // namespace haloscope::test
