#include "frontend/RawLexer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace haloscope::frontend {

namespace {

using Kind = SourceToken::Kind;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool isAlphanumeric(char c) { return isLetter(c) || isDigit(c); }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isSpaceOnALine(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }
bool isNewline(char c) { return c == '\n' || c == '\r'; }

/// Bytes of the UTF-8 sequence at `at`, 1 if it is none.
std::size_t sequenceLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  if (at + length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80U) return 1;
  }
  return length;
}

/// Spaces beyond ASCII that texts from web pages contain: U+00A0, U+1680, U+2000 … U+200A, U+2028, U+2029, U+202F,
/// U+205F, U+3000.
bool isWideSpace(std::string_view character) {
  constexpr std::array<std::string_view, 8> kSpaces{"\u00a0", "\u1680", "\u2028", "\u2029",
                                                    "\u202f", "\u205f", "\u3000", "\u0085"};
  return std::ranges::find(kSpaces, character) != kSpaces.end() ||
         (character >= "\u2000" && character <= "\u200a" && character.size() == 3);
}

/// Longest first where one begins another.
constexpr std::array<std::string_view, 42> kPunctuators{
    "%:%:", "<<<", ">>>", "<<=", ">>=", "<=>", "->*", "...", "<<", ">>", "<=", ">=", "<:", "<%",
    ":>",   "::",  "%>",  "%:",  "%=",  "->",  "--",  "-=",  "++", "+=", "&&", "&=", "||", "|=",
    "^=",   "==",  "!=",  "*=",  "/=",  ".*",  "##",  "<",   ">",  ":",  "%",  "-",  "+",  "&"};
constexpr std::string_view kSinglePunctuators = "|^=!*/.#()[]{};,?~";

}  // namespace

RawLexer::RawLexer(std::string_view text) : text_(text), place_(placeFrom(0)) {}

RawLexer::Place RawLexer::placeFrom(std::size_t at) const {
  while (at < text_.size() && text_[at] == '\\') {
    std::size_t end = at + 1;
    while (end < text_.size() && isSpaceOnALine(text_[end]) && text_[end] != '\0') { ++end; }
    if (end >= text_.size() || !isNewline(text_[end])) break;
    const bool pair = end + 1 < text_.size() && isNewline(text_[end + 1]) && text_[end] != text_[end + 1];
    at = end + (pair ? 2 : 1);
  }
  return {.at = at, .length = at < text_.size() ? sequenceLength(text_, at) : 0};
}

char RawLexer::current() const { return atEnd() ? '\0' : text_[place_.at]; }

char RawLexer::ahead(int places) const {
  Place place = place_;
  for (; places > 0 && place.length > 0; --places) { place = placeFrom(place.at + place.length); }
  return place.length == 0 ? '\0' : text_[place.at];
}

void RawLexer::advance() {
  passed_ = place_.at + place_.length;
  place_ = placeFrom(passed_);
}

void RawLexer::advance(int places) {
  for (; places > 0; --places) { advance(); }
}

void RawLexer::skipSpace() {
  while (!atEnd()) {
    const bool newline = isNewline(current());
    const bool space = newline || isSpaceOnALine(current()) || isWideSpace(text_.substr(place_.at, place_.length));
    if (!space) return;
    startsLine_ = startsLine_ || newline;
    advance();
  }
}

bool RawLexer::atIdentifier() const {
  if (isLetter(current())) return true;
  if (current() == '\\') {  // \u00e4
    const int digits = ahead(1) == 'u' ? 4 : ahead(1) == 'U' ? 8 : 0;
    for (int i = 0; i < digits; ++i) {
      if (!isHexDigit(ahead(2 + i))) return false;
    }
    return digits > 0;
  }
  return place_.length > 1;
}

void RawLexer::passIdentifier() {
  while (!atEnd() && (isDigit(current()) || atIdentifier())) {
    if (place_.length > 1 && isWideSpace(text_.substr(place_.at, place_.length))) return;
    advance(current() == '\\' ? (ahead(1) == 'u' ? 6 : 10) : 1);
  }
}

Kind RawLexer::passNumber() {
  const bool hexadecimal = current() == '0' && (ahead(1) == 'x' || ahead(1) == 'X');
  while (!atEnd()) {
    const char c = current();
    const bool exponent = c == 'e' || c == 'E' || (hexadecimal && (c == 'p' || c == 'P'));
    if (exponent && (ahead(1) == '+' || ahead(1) == '-')) {
      advance(2);
    } else if (c == '\'' && isAlphanumeric(ahead(1))) {
      advance(2);
    } else if (isDigit(c) || c == '.') {
      advance();
    } else if (atIdentifier()) {
      advance(c == '\\' ? (ahead(1) == 'u' ? 6 : 10) : 1);
    } else {
      break;
    }
  }
  return Kind::Number;
}

void RawLexer::passSuffix() {
  if (current() == '_') {
    passIdentifier();
    return;
  }
  // Those of the standard library; another name after a literal is a macro in old C.
  constexpr std::array<std::string_view, 12> kOfTheLibrary{"s",  "sv", "h",  "min", "ms", "us",
                                                           "ns", "i",  "if", "il",  "d",  "y"};
  std::string suffix;
  for (int i = 0; isAlphanumeric(ahead(i)) && suffix.size() < 4; ++i) { suffix += ahead(i); }
  if (std::ranges::find(kOfTheLibrary, suffix) != kOfTheLibrary.end()) advance(static_cast<int>(suffix.size()));
}

Kind RawLexer::passQuoted(char quote) {
  advance();
  if (quote == '\'' && current() == '\'') {  // '' has no character
    advance();
    return Kind::Unknown;
  }
  while (!atEnd() && !isNewline(current())) {
    const char c = current();
    advance();
    if (c == quote) {
      passSuffix();
      return Kind::Literal;
    }
    if (c == '\\' && !atEnd() && !isNewline(current())) advance();
  }
  return Kind::Unknown;
}

Kind RawLexer::passRawString() {
  // Backslashes at ends of lines belong to it.
  constexpr std::size_t kMostOfADelimiter = 16;
  const std::size_t begin = place_.at + 1;
  std::size_t open = begin;
  const auto endsDelimiter = [](char c) {
    return c == '(' || c == ')' || c == '\\' || c == '"' || isSpaceOnALine(c) || isNewline(c);
  };
  while (open < text_.size() && open - begin <= kMostOfADelimiter && !endsDelimiter(text_[open])) { ++open; }
  const bool opened = open < text_.size() && open - begin <= kMostOfADelimiter && text_[open] == '(';
  std::size_t end = text_.size();
  Kind kind = Kind::Unknown;
  if (opened) {
    const std::string closing = ")" + std::string(text_.substr(begin, open - begin)) + "\"";
    const std::size_t found = text_.find(closing, open + 1);
    if (found != std::string_view::npos) {
      end = found + closing.size();
      kind = Kind::Literal;
    }
  } else if (const std::size_t found = text_.find('"', open); found != std::string_view::npos) {
    end = found + 1;
  }
  passed_ = end;
  place_ = placeFrom(end);
  if (kind == Kind::Literal) passSuffix();
  return kind;
}

Kind RawLexer::passComment() {
  const bool line = ahead(1) == '/';
  advance(2);
  while (!atEnd() && !(line && isNewline(current()))) {
    const bool closes = !line && current() == '*' && ahead(1) == '/';
    advance(closes ? 2 : 1);
    if (closes) break;
  }
  return Kind::Comment;
}

Kind RawLexer::passPunctuator() {
  // `<::` is `<` and `::`, unless `:` or `>` follows.
  if (current() == '<' && ahead(1) == ':' && ahead(2) == ':' && ahead(3) != ':' && ahead(3) != '>') {
    advance();
    return Kind::Punctuator;
  }
  for (const std::string_view one : kPunctuators) {
    const auto matches = [&] {
      for (std::size_t i = 0; i < one.size(); ++i) {
        if (ahead(static_cast<int>(i)) != one[i]) return false;
      }
      return true;
    };
    if (one.front() != current() || !matches()) continue;
    advance(static_cast<int>(one.size()));
    return Kind::Punctuator;
  }
  const bool known = kSinglePunctuators.find(current()) != std::string_view::npos;
  advance();
  return known ? Kind::Punctuator : Kind::Unknown;
}

int RawLexer::literalPrefix() const {
  int places = 0;
  if (current() == 'u' && ahead(1) == '8') {
    places = 2;
  } else if (current() == 'u' || current() == 'U' || current() == 'L') {
    places = 1;
  }
  if (ahead(places) == 'R' && ahead(places + 1) == '"') return places + 1;
  return ahead(places) == '"' || ahead(places) == '\'' ? places : -1;
}

std::optional<RawToken> RawLexer::next() {
  skipSpace();
  if (atEnd()) return std::nullopt;
  RawToken token{.begin = place_.at, .startsLine = std::exchange(startsLine_, false)};
  const char c = current();
  if (const int prefix = literalPrefix(); prefix >= 0) {
    const bool raw = prefix > 0 && ahead(prefix - 1) == 'R';
    advance(prefix);
    token.kind = raw ? passRawString() : passQuoted(current());
  } else if (isDigit(c) || (c == '.' && isDigit(ahead(1)))) {
    token.kind = passNumber();
  } else if (atIdentifier()) {
    passIdentifier();
    token.kind = Kind::Identifier;
  } else if (c == '/' && (ahead(1) == '/' || ahead(1) == '*')) {
    token.kind = passComment();
  } else {
    token.kind = passPunctuator();
  }
  token.end = passed_;
  return token;
}

}  // namespace haloscope::frontend
