#include "checking/TextFixes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>

namespace haloscope::checking {

namespace {

/// Offsets at which the lines of a text begin.
std::vector<std::size_t> lineBegins(const std::string& text) {
  std::vector<std::size_t> begins{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') { begins.push_back(i + 1); }
  }
  return begins;
}

std::size_t offsetOf(const std::vector<std::size_t>& begins, const std::string& text, int line, int column) {
  const auto index = static_cast<std::size_t>(std::max(line, 1)) - 1;
  if (index >= begins.size()) { return text.size(); }
  return std::min(begins[index] + static_cast<std::size_t>(std::max(column, 1)) - 1, text.size());
}

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a character beside a token makes it another one: "<" is no part of "<<" or "<=", "n" none of "nx" or "p.n".
bool belongs(char token, char beside) {
  return isOfWord(token) ? isOfWord(beside) || beside == '.'
                         : std::string_view("<>=").find(beside) != std::string_view::npos;
}

std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) { lines.push_back(std::move(line)); }
  return lines;
}

}  // namespace

std::string withEdits(const std::string& text, std::vector<faults::TextEdit> edits) {
  const std::vector<std::size_t> begins = lineBegins(text);
  const auto begin = [&](const faults::TextEdit& one) { return offsetOf(begins, text, one.at.line, one.at.column); };
  std::ranges::sort(edits, std::greater{}, begin);
  std::string changed = text;
  for (const faults::TextEdit& one : edits) {
    const std::size_t from = begin(one);
    const std::size_t to = offsetOf(begins, text, one.at.endLine, one.at.endColumn);
    changed.replace(from, std::max(from, to) - from, one.text);
  }
  return changed;
}

ChangedLines changedLines(const std::string& text, const std::vector<faults::TextEdit>& edits) {
  const std::vector<std::string> now = linesIn(text), then = linesIn(withEdits(text, edits));
  const std::size_t shorter = std::min(now.size(), then.size());
  std::size_t first = 0, last = 0;  // lines that are the same at the beginning, and at the end
  while (first < shorter && now[first] == then[first]) { ++first; }
  while (last < shorter - first && now[now.size() - 1 - last] == then[then.size() - 1 - last]) { ++last; }
  const auto changed = [&](const std::vector<std::string>& lines) {
    return std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(first),
                                    lines.end() - static_cast<std::ptrdiff_t>(last));
  };
  return {first, changed(now), changed(then)};
}

std::vector<SourceRange> placesOf(const std::string& text, const SourceRange& within, const std::string& token) {
  std::vector<SourceRange> places;
  if (!within.valid() || token.empty()) { return places; }
  const std::vector<std::size_t> begins = lineBegins(text);
  const std::size_t end = offsetOf(begins, text, within.endLine, within.endColumn);
  std::size_t at = offsetOf(begins, text, within.line, within.column);
  for (; (at = text.find(token, at)) != std::string::npos && at + token.size() <= end; at += token.size()) {
    const std::size_t after = at + token.size();
    if (at > 0 && belongs(token.front(), text[at - 1])) { continue; }
    if (after < text.size() && belongs(token.back(), text[after]) && text[after] != '.') { continue; }
    const auto line = static_cast<int>(std::ranges::upper_bound(begins, at) - begins.begin());
    const int column = static_cast<int>(at - begins[static_cast<std::size_t>(line) - 1]) + 1;
    places.push_back({line, column, line, column + static_cast<int>(token.size())});
  }
  return places;
}

}  // namespace haloscope::checking
