#include "frontend/SourceTokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace haloscope::frontend {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = SourceToken::Kind;

std::vector<std::string> spellings(const std::vector<SourceToken>& tokens) {
  std::vector<std::string> all;
  for (const SourceToken& token : tokens) { all.emplace_back(token.spelling); }
  return all;
}

TEST(SourceTokens, AreThoseOfCuda) {
  EXPECT_THAT(spellings(SourceTokens("k<<<grid, 1'000>>>(a += 1e-3f); // b").code()),
              ElementsAre("k", "<<<", "grid", ",", "1'000", ">>>", "(", "a", "+=", "1e-3f", ")", ";"));
  EXPECT_THAT(spellings(SourceTokens("R\"(a \" // )\" 'x' L\"y\"").code()),
              ElementsAre("R\"(a \" // )\"", "'x'", "L\"y\""));
  EXPECT_THAT(spellings(SourceTokens("a //* comment\nb").code()), ElementsAre("a", "b"));
}

TEST(SourceTokens, HaveKindsAndPlaces) {
  const SourceTokens tokens("int a;\n  /* two\nlines */ b = 7 @ \"c\";\n");
  ASSERT_THAT(spellings(tokens.all()),
              ElementsAre("int", "a", ";", "/* two\nlines */", "b", "=", "7", "@", "\"c\"", ";"));
  const std::vector<SourceToken>& all = tokens.all();
  EXPECT_EQ(all[0].kind, Kind::Identifier);
  EXPECT_EQ(all[2].kind, Kind::Punctuator);
  EXPECT_EQ(all[3].kind, Kind::Comment);
  EXPECT_EQ(all[6].kind, Kind::Number);
  EXPECT_EQ(all[7].kind, Kind::Unknown);
  EXPECT_EQ(all[8].kind, Kind::Literal);
  EXPECT_EQ(all[3].line, 2);
  EXPECT_EQ(all[3].column, 3);
  EXPECT_EQ(all[4].line, 3);
  EXPECT_EQ(all[4].column, 10);
  EXPECT_EQ(all[4].offset, 25U);
  EXPECT_EQ(all[4].end(), 26U);
  EXPECT_EQ(tokens.code().size(), all.size() - 1);
}

TEST(SourceTokens, KeepDirectivesApart) {
  const SourceTokens tokens(
      "#include \"a.h\"  // mine\n# include <cuda.h>\n/* c */ #define N(x) \\\n  (x + #x)\nint i = 1 # 2;\n");
  const std::vector<SourceTokens::Directive>& directives = tokens.directives();
  ASSERT_EQ(directives.size(), 3U);
  EXPECT_EQ(directives[0].word, "include");
  EXPECT_EQ(directives[0].name, "a.h");
  EXPECT_TRUE(directives[0].quoted);
  EXPECT_EQ(directives[0].where.end, 14U);
  EXPECT_EQ(directives[1].name, "cuda.h");
  EXPECT_FALSE(directives[1].quoted);
  EXPECT_EQ(directives[2].word, "define");
  EXPECT_EQ(directives[2].name, "N");
  EXPECT_THAT(spellings(directives[2].tokens),
              ElementsAre("#", "define", "N", "(", "x", ")", "(", "x", "+", "#", "x", ")"));
  EXPECT_THAT(spellings(tokens.code()), ElementsAre("int", "i", "=", "1", "#", "2", ";"));
  for (const SourceToken& token : tokens.code()) { EXPECT_FALSE(token.inDirective); }
  for (const SourceToken& token : directives[2].tokens) { EXPECT_TRUE(token.inDirective); }
}

TEST(SourceTokens, AnyTextHasThem) {
  EXPECT_THAT(SourceTokens("").all(), IsEmpty());
  EXPECT_THAT(SourceTokens("#").directives(), IsEmpty());
  for (const std::string text : {"\"open", "'", "/* open", "R\"(open", "\\", "#define", "#include \"", "\xff\xfe",
                                 "a\\\nb", "\xef\xbb\xbfint", "?\?/", "0x", "1..2"}) {
    const SourceTokens tokens(text);
    std::size_t end = 0;
    for (const SourceToken& token : tokens.all()) {
      EXPECT_GE(token.offset, end) << text;
      EXPECT_LE(token.end(), text.size()) << text;
      end = token.end();
    }
  }
}

TEST(SourceTokens, StayValidWhenMoved) {
  SourceTokens first("ab");
  const SourceTokens second = std::move(first);
  EXPECT_THAT(spellings(second.all()), ElementsAre("ab"));
  EXPECT_EQ(second.text(), "ab");
}

}  // namespace
}  // namespace haloscope::frontend
