#include "language/LineBreaks.h"

#include <algorithm>

namespace haloscope {

namespace {

constexpr std::string_view kNotFirst = "，。、；：？！）」』】》〉”’…—·％,.;:?!)]}%";
constexpr std::string_view kNotLast = "（「『【《〈“‘([{";

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string_view characterAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && continues(text[end])) { ++end; }
  return text.substr(at, end - at);
}

std::string_view lastCharacter(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && continues(text[--begin])) {}
  return text.substr(begin);
}

/// U+2E80 to U+FFEF: characters and signs of Chinese.
bool isWide(std::string_view character) {
  if (character.size() != 3) { return false; }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(character[at])); };
  const unsigned code = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  return code >= 0x2E80 && code <= 0xFFEF;
}

bool isOneOf(std::string_view character, std::string_view signs) {
  return signs.find(character) != std::string_view::npos;
}

bool isSpace(char byte) { return byte == ' ' || byte == '\n'; }

bool isProduct(std::string_view word) { return word == "×" || word == "·"; }
bool isRelation(std::string_view word) {
  return word == "=" || word == "≠" || word == "<" || word == ">" || word == "≤" || word == "≥" || word == "≈";
}

}  // namespace

bool mayDivide(std::string_view before, std::string_view after) {
  if (before.empty() || after.empty()) { return false; }
  const std::string_view last = lastCharacter(before), first = characterAt(after, 0);
  return (isWide(last) || isWide(first)) && !isOneOf(last, kNotLast) && !isOneOf(first, kNotFirst);
}

bool staysTogether(std::string_view before, std::string_view after) {
  return isProduct(before) || isProduct(after) || isRelation(after);
}

std::vector<LinePiece> linePieces(std::string_view text, std::string_view before) {
  std::vector<LinePiece> pieces;
  std::size_t begin = 0;
  bool spaced = false;
  for (std::size_t at = 0; at < text.size();) {
    if (isSpace(text[at])) {
      spaced = true;
      begin = ++at;
      continue;
    }
    const std::string_view character = characterAt(text, at);
    at += character.size();
    const std::string_view left = pieces.empty() ? before : pieces.back().text;
    const bool divides = spaced || mayDivide(left, character);
    if (pieces.empty() || divides) {
      begin = at - character.size();
      pieces.push_back({{}, spaced, divides || left.empty()});
    }
    pieces.back().text = text.substr(begin, at - begin);
    spaced = false;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (staysTogether(i > 0 ? pieces[i - 1].text : before, pieces[i].text)) { pieces[i].mayBegin = false; }
  }
  return pieces;
}

std::size_t terminalColumns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = characterAt(text, at);
    columns += isWide(character) ? 2 : 1;
    at += character.size();
  }
  return columns;
}

}  // namespace haloscope
