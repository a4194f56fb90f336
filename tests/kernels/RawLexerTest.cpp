#include "frontend/RawLexer.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/LangStandard.h>
#include <clang/Lex/Lexer.h>
#include <gtest/gtest.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "frontend/SourceTokens.h"

namespace {

using namespace haloscope::frontend;
namespace fs = std::filesystem;

using Tokens = std::vector<RawToken>;

Tokens lexed(const std::string& text) {
  Tokens tokens;
  RawLexer lexer(text);
  while (const std::optional<RawToken> token = lexer.next()) { tokens.push_back(*token); }
  return tokens;
}

SourceToken::Kind kindOf(const clang::Token& token) {
  if (token.is(clang::tok::raw_identifier)) { return SourceToken::Kind::Identifier; }
  if (token.is(clang::tok::numeric_constant)) { return SourceToken::Kind::Number; }
  if (token.is(clang::tok::comment)) { return SourceToken::Kind::Comment; }
  if (token.is(clang::tok::unknown)) { return SourceToken::Kind::Unknown; }
  return clang::tok::isLiteral(token.getKind()) ? SourceToken::Kind::Literal : SourceToken::Kind::Punctuator;
}

/// Clang's own.
Tokens lexedByClang(const std::string& text) {
  clang::LangOptions language;
  std::vector<std::string> includes;
  clang::LangOptions::setLangDefaults(language, clang::Language::CUDA, llvm::Triple("nvptx64-nvidia-cuda"), includes,
                                      clang::LangStandard::lang_cxx20);
  const char* const begin = text.data();
  clang::Lexer lexer(clang::SourceLocation(), language, begin, begin, begin + text.size());
  lexer.SetCommentRetentionState(true);
  Tokens tokens;
  for (bool last = false; !last;) {
    clang::Token token;
    last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) { break; }
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - begin);
    tokens.push_back(
        {.kind = kindOf(token), .begin = end - token.getLength(), .end = end, .startsLine = token.isAtStartOfLine()});
  }
  return tokens;
}

std::string listed(const std::string& text, const Tokens& tokens) {
  std::string list;
  for (const RawToken& one : tokens) {
    list += std::to_string(static_cast<int>(one.kind)) + (one.startsLine ? "^" : " ") +
            text.substr(one.begin, one.end - one.begin) + "\n";
  }
  return list;
}

void expectAsClang(const std::string& text) {
  EXPECT_EQ(listed(text, lexed(text)), listed(text, lexedByClang(text))) << "in: " << text;
}

TEST(RawLexer, AgreesWithClangOnSmallTexts) {
  for (const char* text : {"a<<<g, b>>>(c);",
                           "x <<= y >>= z << w >> v;",
                           "a <=> b",
                           "p->q ->* r .* s ... ..",
                           "<: :> <% %> %: %:%:",
                           "v<::std::w>",
                           "v<:::w",
                           "1.5e-3f 0x1p+4 0b10'01 1'000'000 .5 1..2 1e+ 08z",
                           "\"a\\\"b\" 'c' '\\'' u8\"x\"",
                           "R\"(a\\\nb\")\" R\"xy()x\")xy\" LR\"(z)\"",
                           "u'a' U\"b\" L'c' uR\"(d)\" U8\"e\" u8R\"(f)\"s \"g\"_km \"h\"sv",
                           "'' 'ab",
                           "\"open\nnext",
                           "// line\nx // two \\\n lines\ny /* a * / b **/ z",
                           "#define A(x) \\\n  x##x #x\nb",
                           "a\\\nb + c\\ \nd",
                           "x /* c */ # y\n  # z",
                           "`@ $name \\ \\u00e4b \\U000000e4 \\u12",
                           "\xc3\xa4 = \xe4\xb8\xad;",
                           "a \xff b",
                           "a\r\nb\rc\n\rd",
                           "\t\v\f a",
                           "",
                           "\\",
                           "#",
                           "a::b:c?d:e",
                           "x+++++y-----z",
                           "!a!=b^c^=d|e||f|=g",
                           "~a%b%=c&d&&e&=f*g*=h/i/=j",
                           "R\"abcdefghijklmnopqrst(x)abcdefghijklmnopqrst\" y",
                           "R\"a b(x)\" z"}) {
    expectAsClang(text);
  }
}

TEST(RawLexer, AnUnclosedCommentIsOneToTheEnd) {
  const std::string text = "a /* b\nc";
  EXPECT_EQ(listed(text, lexed(text)), "0^a\n3 /* b\nc\n");
}

std::vector<std::string> shippedTexts() {
  std::vector<std::string> texts;
  for (const char* folder : {"kernels", "assets/buglab", "tests/kernels", "tests/programs", "tests/fuzz/regressions"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HALOSCOPE_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cu" && extension != ".cuh" && extension != ".h") { continue; }
      std::ifstream file(entry.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return texts;
}

TEST(RawLexer, AgreesWithClangOnTheTextsOfTheCatalogue) {
  const std::vector<std::string> texts = shippedTexts();
  ASSERT_GT(texts.size(), 100U);
  for (const std::string& text : texts) {
    if (!testing::Test::HasFailure()) { expectAsClang(text); }
  }
}

/// Up to what C++ does not know: there, each lexer may go on in its own way.
Tokens known(Tokens tokens) {
  const auto unknown = std::ranges::find(tokens, SourceToken::Kind::Unknown, &RawToken::kind);
  tokens.erase(unknown, tokens.end());
  return tokens;
}

/// Random ones from what lexers get wrong. Without comments that are not closed, and without lines that go on: in front
/// of a token, Clang takes the end of the line before it as part of the token.
TEST(RawLexer, AgreesWithClangOnRandomTexts) {
  const std::vector<std::string> parts{"a", "_b9", "u8", "R",  "L", "\"", "'",   "\\", "\n",  " ",    "(",
                                       ")", "<",   ">",  ":",  "%", "=",  "-",   "+",  "*",   "/ ",   "//",
                                       "#", ".",   "1",  "0x", "e", "p",  "&",   "|",  "\\n", "xy",   "\t",
                                       "{", "}",   ";",  "!",  "^", "~",  "1.f", "'0", "??",  "/*c*/"};
  const std::regex lineThatGoesOn("\\\\[ \t]*\n");
  std::mt19937 random(11);
  for (int i = 0; i < 20'000 && !testing::Test::HasFailure(); ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 14); n >= 0; --n) { text += parts[random() % parts.size()]; }
    if (text.find("/*") != std::string::npos && text.rfind("/*") > text.rfind("*/")) { continue; }
    if (std::regex_search(text, lineThatGoesOn)) { continue; }
    EXPECT_EQ(listed(text, known(lexed(text))), listed(text, known(lexedByClang(text)))) << "in: " << text;
  }
}

}  // namespace
