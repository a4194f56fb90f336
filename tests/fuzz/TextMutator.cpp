#include "TextMutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <stdexcept>

namespace haloscope::fuzz {

namespace {

/// Values at which something overflows, divides by zero or becomes too large.
constexpr auto kNumbers = std::to_array<std::string_view>({"0",
                                                           "1",
                                                           "-1",
                                                           "2",
                                                           "3",
                                                           "7",
                                                           "8",
                                                           "31",
                                                           "32",
                                                           "33",
                                                           "64",
                                                           "255",
                                                           "256",
                                                           "1024",
                                                           "1025",
                                                           "65536",
                                                           "2147483647",
                                                           "-2147483648",
                                                           "4294967295",
                                                           "9223372036854775807",
                                                           "18446744073709551615",
                                                           "1e30",
                                                           "0.5f",
                                                           "1e-45f",
                                                           "0x1p-149f",
                                                           "1 << 30",
                                                           "0u",
                                                           "1.0",
                                                           "0xffffffffu"});
constexpr auto kOperators = std::to_array<std::string_view>(
    {"+",  "-", "*",  "/",  "%",  "<",  ">",  "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^",  "<<",
     ">>", "=", "+=", "-=", "*=", "/=", "++", "--", ",",  ";",  "?",  ":",  "!",  "~", ".", "->", "::"});

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isNumber(std::string_view token) { return std::isdigit(static_cast<unsigned char>(token.front())) != 0; }
bool isWord(std::string_view token) { return isWordCharacter(token.front()) && !isNumber(token); }
bool isOperator(std::string_view token) { return std::ranges::find(kOperators, token) != kOperators.end(); }

template <typename Random>
std::size_t below(Random& random, std::size_t n) {
  return n == 0 ? 0 : static_cast<std::size_t>(random()) % n;
}

template <typename Random, typename Range>
auto any(Random& random, const Range& range) {
  return range[below(random, std::size(range))];
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string concatenated(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
    if (!line.ends_with('\n')) { text += '\n'; }
  }
  return text;
}

/// Where the code begins: behind the header.
std::size_t codeOf(std::string_view text) {
  const std::size_t header = text.find("/* haloscope");
  const std::size_t end = header == std::string_view::npos ? header : text.find("*/", header);
  return end == std::string_view::npos ? 0 : end + 2;
}

}  // namespace

std::vector<std::string> readDictionary(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) { throw std::runtime_error(path.string() + " cannot be read"); }
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) {
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') { continue; }
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] == '\\' && line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        if (line[i] == '\\') { ++i; }
        word += line[i];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string_view> tokensOf(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t length = 1;
    if (isWordCharacter(text[at])) {
      while (at + length < text.size() && isWordCharacter(text[at + length])) { ++length; }
    } else {
      for (const std::string_view mark : {"<<<", ">>>", "/*", "*/", "//"}) {
        if (text.substr(at).starts_with(mark)) { length = mark.size(); }
      }
      if (length == 1 && isOperator(text.substr(at, 2))) { length = 2; }
    }
    tokens.push_back(text.substr(at, std::min(length, text.size() - at)));
    at += length;
  }
  return tokens;
}

TextMutator::TextMutator(std::vector<std::string> words) : words_(std::move(words)) {}

void TextMutator::changeTokens(std::string& text, Random& random) const {
  const std::vector<std::string_view> tokens = tokensOf(text);
  if (tokens.empty()) {
    text += any(random, words_);
    return;
  }
  const std::string_view token = any(random, tokens);
  const auto at = static_cast<std::size_t>(token.data() - text.data());
  std::string with(token);
  switch (below(random, 9)) {
    case 0:
      with.clear();
      break;
    case 1:
      with += " " + with;
      break;
    case 2: {  // swapped with the one before it
      const auto place = std::ranges::find_if(tokens, [&](const auto& one) { return one.data() == token.data(); });
      if (place == tokens.begin()) { break; }
      const std::string_view before = *std::prev(place);
      const auto begin = static_cast<std::size_t>(before.data() - text.data());
      const std::string swapped = with + " " + std::string(before);
      text.replace(begin, at + token.size() - begin, swapped);
      return;
    }
    case 3:
      with = "(" + with + ")";
      break;
    case 4:
      with = " " + any(random, words_) + " " + with;
      break;
    case 5:
      with = any(random, words_);
      break;
    case 6:
      with = std::string(any(random, tokens));
      break;
    default:  // another of its kind
      if (isNumber(token)) {
        with = std::string(any(random, kNumbers));
      } else if (isOperator(token)) {
        with = std::string(any(random, kOperators));
      } else if (isWord(token)) {
        std::vector<std::string_view> others = tokens;
        std::erase_if(others, [](std::string_view one) { return !isWord(one); });
        with = std::string(any(random, others));
      } else {
        with.clear();
      }
  }
  text.replace(at, token.size(), with);
}

void TextMutator::changeLines(std::string& text, Random& random) {
  std::vector<std::string> lines = linesOf(text);
  if (lines.empty()) { return; }
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size()));
  const auto other = lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size()));
  switch (below(random, 3)) {
    case 0:
      lines.erase(at);
      break;
    case 1:
      std::iter_swap(at, other);
      break;
    default: {
      const std::string line = *at;
      lines.insert(other, line);
    }
  }
  text = concatenated(lines);
}

std::string TextMutator::mutated(std::string text, unsigned seed) const {
  Random random(seed);
  const std::size_t edits = 1 + below(random, 3);
  for (std::size_t edit = 0; edit < edits; ++edit) {
    switch (below(random, 8)) {
      case 0:
      case 1:
        changeLines(text, random);
        break;
      case 2:
        if (!text.empty()) { text[below(random, text.size())] = static_cast<char>(random()); }
        break;
      default:
        changeTokens(text, random);
    }
  }
  return text;
}

std::string TextMutator::joined(std::string_view one, std::string_view other, unsigned seed) const {
  Random random(seed);
  if (below(random, 4) == 0) {
    return std::string(one.substr(0, codeOf(one))) + "\n" + std::string(other.substr(codeOf(other)));
  }
  std::vector<std::string> lines = linesOf(one);
  const std::vector<std::string> more = linesOf(other);
  const std::size_t from = below(random, more.size());
  const std::size_t to = std::min(more.size(), from + 1 + below(random, below(random, 2) == 0 ? 4 : more.size()));
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(random, lines.size() + 1)),
               more.begin() + static_cast<std::ptrdiff_t>(from), more.begin() + static_cast<std::ptrdiff_t>(to));
  return concatenated(lines);
}

}  // namespace haloscope::fuzz
