#include "opening/HostTokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace haloscope::opening {

namespace {

constexpr std::size_t kMaxTokens = 200'000;

}  // namespace

bool isIdentifier(const std::string& token) {
  return !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_');
}

bool isTypeWord(const std::string& token) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"int", "unsigned", "long", "short", "char", "float", "double", "size_t", "const",
                                       "signed", "int64_t", "uint32_t", "int32_t", "uint64_t", "uint", "auto"});
  return std::ranges::find(kWords, token) != kWords.end();
}

HostTokens tokensOf(std::string_view text) { return tokensOf(frontend::SourceTokens(std::string(text)).code()); }

HostTokens tokensOf(const std::vector<frontend::SourceToken>& tokens) {
  HostTokens found;
  for (const frontend::SourceToken& token : tokens) {
    if (found.size() >= kMaxTokens) { break; }
    const bool openQuote = token.spelling.starts_with('"') || token.spelling.starts_with('\'');
    const bool literal = token.kind == frontend::SourceToken::Kind::Literal || openQuote;
    if (token.kind != frontend::SourceToken::Kind::Comment) { found.emplace_back(literal ? "\"\"" : token.spelling); }
  }
  return found;
}

bool opens(const std::string& token) { return token == "(" || token == "[" || token == "{"; }
bool closes(const std::string& token) { return token == ")" || token == "]" || token == "}"; }

std::vector<HostTokens> list(const HostTokens& tokens, std::size_t& at, const std::string& end) {
  std::vector<HostTokens> parts(1);
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string& token = tokens[at];
    if (depth == 0 && (end.empty() ? closes(token) : token == end)) { break; }
    if (depth == 0 && token == ";") { break; }
    depth += opens(token) ? 1 : (closes(token) ? -1 : 0);
    if (depth == 0 && token == ",") {
      parts.emplace_back();
    } else {
      parts.back().push_back(token);
    }
  }
  if (parts.size() == 1 && parts.front().empty()) { parts.clear(); }
  return parts;
}

}  // namespace haloscope::opening
