#include "opening/HostTokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "program/Words.h"

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

HostTokens tokensOf(std::string_view text) {
  HostTokens tokens;
  for (PlacedToken& token : placedTokensOf(text)) { tokens.push_back(std::move(token.text)); }
  return tokens;
}

std::vector<PlacedToken> placedTokensOf(std::string_view text) {
  constexpr auto kPunctuation = std::to_array<std::string_view>(
      {"<<<", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "->", "+=", "-=", "*=", "/=", "++", "--"});
  std::vector<PlacedToken> tokens;
  std::size_t i = 0;
  std::size_t counted = 0;  // newlines before it are in `line`
  int line = 1;
  while (i < text.size() && tokens.size() < kMaxTokens) {
    const char c = text[i];
    line += static_cast<int>(std::ranges::count(text.substr(counted, i - counted), '\n'));
    counted = i;
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') { end += text[end] == '\\' ? 2 : 1; }
      tokens.push_back({"\"\"", line});
      i = std::min(end + 1, text.size());
    } else if (isWord(c) ||
               (c == '.' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)) {
      const bool numeral = isWord(c) ? std::isdigit(static_cast<unsigned char>(c)) != 0 : true;
      std::size_t end = i + 1;
      while (end < text.size() && (isWord(text[end]) || (numeral && text[end] == '.'))) { ++end; }
      tokens.push_back({std::string(text.substr(i, end - i)), line});
      i = end;
    } else {
      const auto known = std::ranges::find_if(kPunctuation, [&](auto p) { return text.substr(i, p.size()) == p; });
      const std::size_t length = known == kPunctuation.end() ? 1 : known->size();
      tokens.push_back({std::string(text.substr(i, length)), line});
      i += length;
    }
  }
  return tokens;
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
