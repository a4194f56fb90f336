#include "checking/MacroHazard.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "frontend/SourceTokens.h"

namespace haloscope::checking {
namespace {

using frontend::SourceToken;
using frontend::SourceTokens;

bool isOperand(const SourceToken& token) {
  return token.kind == SourceToken::Kind::Identifier || token.kind == SourceToken::Kind::Number ||
         token.spelling == ")" || token.spelling == "]";
}

/// Whether the tokens from `first` on have a + or - between two operands outside of all parentheses.
bool isBareSum(const std::vector<SourceToken>& tokens, std::size_t first) {
  int depth = 0;
  for (std::size_t at = first; at < tokens.size(); ++at) {
    const std::string_view token = tokens[at].spelling;
    if (token == "(" || token == "[") { ++depth; }
    if (token == ")" || token == "]") { --depth; }
    if (depth == 0 && at > first && (token == "+" || token == "-") && isOperand(tokens[at - 1])) { return true; }
  }
  return false;
}

bool multiplies(const SourceToken& token) {
  return token.spelling == "*" || token.spelling == "/" || token.spelling == "%";
}

SourceRange rangeOf(const SourceToken& first, const SourceToken& last) {
  return {first.line, first.column, last.line, last.column + static_cast<int>(last.length)};
}

}  // namespace

std::optional<MacroHazard> findMacroHazard(const std::string& text) {
  const SourceTokens source(text);
  std::vector<SourceToken> tokens;
  for (const SourceToken& token : source.all()) {
    if (token.kind != SourceToken::Kind::Comment) { tokens.push_back(token); }
  }
  for (const SourceTokens::Directive& one : source.directives()) {
    const std::vector<SourceToken>& macro = one.tokens;
    const bool object = one.word == "define" && macro.size() > 3 && macro[3].offset > macro[2].end() &&
                        macro.front().line == macro.back().line;
    if (!object || !isBareSum(macro, 3)) { continue; }
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
      const SourceToken& use = tokens[at];
      if (use.offset < one.where.end || use.spelling != one.name) { continue; }
      if (!multiplies(tokens[at - 1]) && !multiplies(tokens[at + 1])) { continue; }
      const std::size_t begin = macro[3].offset;
      return MacroHazard{one.name, text.substr(begin, macro.back().end() - begin), rangeOf(macro[2], macro.back()),
                         rangeOf(use, use)};
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::checking
