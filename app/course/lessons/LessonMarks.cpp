#include "lessons/LessonMarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "language/Text.h"
#include "program/Words.h"

namespace haloscope::lessons {

namespace {

// Two characters for private use, with the value's number between them.
constexpr std::string_view kMarkBegin = "\xEE\x80\x80", kMarkEnd = "\xEE\x80\x81";

/// Of a line, a comment, a value, the destination of a link.
constexpr std::string_view kBeginnings = "\n<{]";

std::string valueMark(std::size_t n) { return fmt::format("{}{}{}", kMarkBegin, n, kMarkEnd); }

/// "EXPR:.2f|kernel NAME=1 …".
Value parseValue(std::string_view text, int line, LinkPairs& given) {
  Value value;
  value.line = line;
  // `||` belongs to an expression.
  std::size_t bar = text.find('|');
  while (bar != std::string_view::npos && bar + 1 < text.size() && text[bar + 1] == '|') {
    bar = text.find('|', bar + 2);
  }
  std::string_view expression = trimmed(text.substr(0, bar));
  if (const std::size_t colon = expression.rfind(':'); colon != std::string_view::npos) {
    value.format = trimmed(expression.substr(colon + 1));
    expression = trimmed(expression.substr(0, colon));
  }
  if (bar != std::string_view::npos) {
    std::string_view rest = trimmed(text.substr(bar + 1));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      const std::string_view word = rest.substr(0, end);
      rest = trimmed(rest.substr(end));
      if (const std::size_t equals = word.find('='); equals == std::string_view::npos) {
        value.setting.kernel = word;
      } else {
        given.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      }
    }
  }
  value.expression = expression;
  return value;
}

/// The end of a link's destination that begins here: its closing bracket, where those within balance on this line, else
/// the first one.
std::size_t destinationEnd(std::string_view text, std::size_t begin) {
  const std::size_t lineEnd = std::min(text.find('\n', begin), text.size());
  int depth = 0;
  for (std::size_t i = begin; i < lineEnd; ++i) {
    if (text[i] == '(') { ++depth; }
    if (text[i] == ')' && depth-- == 0) { return i; }
  }
  const std::size_t first = text.find(')', begin);
  return first < lineEnd ? first : std::string_view::npos;
}

/// At the "](" of one of our own links.
bool beginsLink(std::string_view text) {
  constexpr std::array kKinds = {"](window:", "](term:", "](lesson:", "](exercise:"};
  return std::ranges::any_of(kKinds, [&](const char* kind) { return text.starts_with(kind); });
}

/// The text without marks of its own.
std::string withoutMarks(std::string_view source, int line, const ProblemTaker& problem) {
  std::string text(source);
  for (const std::string_view mark : {kMarkBegin, kMarkEnd}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      problem(line + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
              tr("a character for private use (U+E000 or U+E001) cannot be shown"));
      text.erase(at, mark.size());
    }
  }
  return text;
}

}  // namespace

std::string marked(std::string_view source, int line, const ValueTaker& take, const ProblemTaker& problem) {
  const std::string clean = withoutMarks(source, line, problem);
  const std::string_view text = clean;
  std::string out;
  bool fence = false, lineBegins = true;
  for (std::size_t i = 0; i < text.size();) {
    if (lineBegins) {
      const std::string_view rest = text.substr(i, text.find('\n', i) - i);
      if (trimmed(rest).starts_with("```")) { fence = !fence; }
    }
    if (!fence && text.substr(i).starts_with(kCommentBegin)) {
      const std::size_t end = std::min(text.find("-->", i), text.size());
      line += static_cast<int>(std::ranges::count(text.substr(i, end - i), '\n'));
      out += text.substr(i, end - i);
      i = end;
      lineBegins = false;
      continue;
    }
    lineBegins = text[i] == '\n';
    line += lineBegins ? 1 : 0;
    if (!fence && text.substr(i).starts_with("{{")) {
      const std::size_t end = text.find("}}", i);
      if (end < std::min(text.find('\n', i), text.size())) {
        LinkPairs given;
        Value value = parseValue(text.substr(i + 2, end - i - 2), line, given);
        out += valueMark(take(std::move(value), given));
        i = end + 2;
        continue;
      }
      problem(line, tr("a value {{…}} must end on its line"));
    }
    if (!fence && beginsLink(text.substr(i))) {
      const std::size_t end = destinationEnd(text, i + 2);
      if (end != std::string_view::npos) {
        out += "](";
        for (const char c : text.substr(i + 2, end - i - 2)) {
          if (std::string_view(" ()<>[]\\*_`$").find(c) != std::string_view::npos) {
            out += fmt::format("%{:02X}", static_cast<unsigned>(c));
          } else {
            out += c;
          }
        }
        out += ')';
        i = end + 1;
        continue;
      }
    }
    // What can begin here was looked for; up to the next such character nothing does.
    const std::size_t next = lineBegins ? i + 1 : std::min(text.find_first_of(kBeginnings, i + 1), text.size());
    out += text.substr(i, next - i);
    i = next;
  }
  return out;
}

void forEachPart(std::string_view text, const std::function<void(std::string_view)>& words,
                 const std::function<void(std::size_t)>& value) {
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(kMarkBegin), text.size());
    if (begin > 0) { words(text.substr(0, begin)); }
    const std::size_t end = text.find(kMarkEnd, begin);
    if (end == std::string_view::npos) { return; }
    const std::string_view number = text.substr(begin + kMarkBegin.size(), end - begin - kMarkBegin.size());
    std::size_t n = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), n).ec == std::errc()) { value(n); }
    text.remove_prefix(end + kMarkEnd.size());
  }
}

std::string withValues(std::string_view text, const std::function<std::string(std::size_t)>& value) {
  std::string result;
  forEachPart(
      text, [&](std::string_view words) { result += words; },
      [&](std::size_t n) { result += fmt::format("\\text{{{}}}", value(n)); });
  return result;
}

}  // namespace haloscope::lessons
