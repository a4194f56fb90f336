#include "frontend/CodeText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace haloscope {
namespace {

using ::testing::ElementsAre;
using Piece = std::pair<std::string, TokenKind>;

/// The tokens of the last line of a text.
std::vector<Piece> lastLine(const std::string& text) {
  const CodeLine line = readCode(text).back();
  std::vector<Piece> pieces;
  for (const Token& token : line.tokens) {
    const auto begin = static_cast<std::size_t>(token.begin);
    pieces.emplace_back(line.text.substr(begin, static_cast<std::size_t>(token.end) - begin), token.kind);
  }
  return pieces;
}

TEST(CodeText, ColoursWords) {
  EXPECT_THAT(
      lastLine("  const float x2 = blockIdx.x;"),
      ElementsAre(Piece("const", TokenKind::Keyword), Piece("float", TokenKind::Type), Piece("x2", TokenKind::Name),
                  Piece("=", TokenKind::Plain), Piece("blockIdx", TokenKind::Cuda), Piece(".", TokenKind::Plain),
                  Piece("x", TokenKind::Name), Piece(";", TokenKind::Plain)));
  EXPECT_THAT(lastLine("a += 1e-3f;"),
              ElementsAre(Piece("a", TokenKind::Name), Piece("+", TokenKind::Plain), Piece("=", TokenKind::Plain),
                          Piece("1e-3f", TokenKind::Literal), Piece(";", TokenKind::Plain)));
}

TEST(CodeText, ColoursDirectivesAndComments) {
  EXPECT_THAT(lastLine("#define N 8  // points"),
              ElementsAre(Piece("#define N 8", TokenKind::Preprocessor), Piece("// points", TokenKind::Comment)));
  EXPECT_THAT(lastLine("#define N \\\n  8"), ElementsAre(Piece("8", TokenKind::Preprocessor)));
  EXPECT_THAT(lastLine("/* a\n  b */ c"),
              ElementsAre(Piece("  b */", TokenKind::Comment), Piece("c", TokenKind::Name)));
  EXPECT_THAT(lastLine("\"//\" 'c"), ElementsAre(Piece("\"//\"", TokenKind::Literal), Piece("'c", TokenKind::Literal)));
}

TEST(CodeText, LosesNoCharacter) {
  for (const std::string text : {"a = b \\", "#define A \\", "x \f y", "@$`", "R\"(1", "\xc3\xa4 = 1", "#", "/*"}) {
    const CodeLine line = readCode(text).back();
    std::size_t at = 0;
    for (const Token& token : line.tokens) {
      EXPECT_EQ(text.substr(at, static_cast<std::size_t>(token.begin) - at).find_first_not_of(" \t"), std::string::npos)
          << text;
      at = static_cast<std::size_t>(token.end);
    }
    EXPECT_EQ(text.substr(at).find_first_not_of(" \t"), std::string::npos) << text;
  }
}

TEST(CodeText, IsReadAgainOnlyWhenItChanges) {
  CodeReader reader;
  std::string text = "int a;\r\nint b;\n";
  const std::vector<CodeLine>& lines = reader.lines(text);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, "int a;");
  EXPECT_EQ(&reader.lines(std::string(text)), &lines);
  const CodeLine* first = lines.data();
  EXPECT_NE(reader.lines(text + "int c;\n").data(), first);
  EXPECT_EQ(reader.lines(text).data(), first);
  text = "float a;";
  EXPECT_EQ(lines[0].text, "int a;") << "the lines belong to the reader";
}

}  // namespace
}  // namespace haloscope
