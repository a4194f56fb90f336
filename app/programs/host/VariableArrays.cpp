#include "host/VariableArrays.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>
#include <vector>

namespace haloscope::host {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

/// The place after the bracket that closes the one at `at`; npos: none does.
std::size_t afterClosing(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char one = text[at];
    if (one == '(' || one == '[' || one == '{') { ++depth; }
    if (one == ')' || one == ']' || one == '}') { --depth; }
    if (depth == 0) { return at + 1; }
  }
  return std::string_view::npos;
}

std::size_t offsetOf(std::string_view text, const TextPosition& position) {
  std::size_t at = 0;
  for (int line = 1; line < position.line && at != std::string_view::npos; ++line) {
    at = text.find('\n', at);
    at += at == std::string_view::npos ? 0 : 1;
  }
  return at == std::string_view::npos ? at : at + static_cast<std::size_t>(position.column - 1);
}

/// Without comments, in one line.
std::string inOneLine(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool whole = text.substr(at).starts_with("/*");
    if (whole || text.substr(at).starts_with("//")) {
      at = text.find(whole ? "*/" : "\n", at);
      if (at == std::string_view::npos) { break; }
      at += whole ? 1 : 0;
      line += ' ';
    } else {
      line += text[at] == '\n' ? ' ' : text[at];
    }
  }
  return line;
}

bool isOfName(char one) { return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_'; }

void assign(std::string& text, std::size_t extent) {
  std::size_t at = text.rfind('[', extent);
  if (at == std::string::npos || at == 0) { return; }
  const std::size_t last = text.find_last_not_of(kBlank, at - 1);
  if (last == std::string::npos || !isOfName(text[last])) { return; }
  std::size_t name = last;
  while (name > 0 && isOfName(text[name - 1])) { --name; }
  const std::string element = text.substr(name, last + 1 - name);
  int extents = 0;
  for (; at < text.size() && text[at] == '['; ++extents) {
    at = text.find_first_not_of(kBlank, afterClosing(text, at));
  }
  if (extents == 0 || at >= text.size() || text[at] != '=') { return; }
  const std::size_t open = text.find_first_not_of(kBlank, at + 1);
  if (open == std::string::npos || text[open] != '{') { return; }
  const std::size_t close = afterClosing(text, open);
  if (close == std::string::npos) { return; }
  std::size_t end = close;
  while (end < text.size() && text[end] != ';') {
    const bool opens = text[end] == '(' || text[end] == '[' || text[end] == '{';
    end = opens ? afterClosing(text, end) : end + 1;
  }
  // What is declared after it, and uses it, would find it without values.
  if (end >= text.size() || text.substr(close, end - close).find(element) != std::string::npos) { return; }
  std::string values = inOneLine(std::string_view(text).substr(open + 1, close - open - 2));
  values.erase(values.find_last_not_of(" \t\r,") + 1);
  std::string first = element;
  for (int i = 0; i < extents; ++i) { first += "[0]"; }
  text.insert(end + 1, " haloscope_assign(&" + first + ", sizeof(" + element + ")" +
                           (values.find_first_not_of(kBlank) == std::string::npos ? "" : ", " + values) + ");");
  for (std::size_t i = at; i < close; ++i) { text[i] = text[i] == '\n' ? '\n' : ' '; }
}

}  // namespace

std::string withAssignedArrays(std::string text, std::span<const TextPosition> extents) {
  std::vector<std::size_t> places;
  for (const TextPosition& one : extents) {
    const std::size_t at = offsetOf(text, one);
    if (at < text.size()) { places.push_back(at); }
  }
  // From the end: what is inserted moves none of the others.
  std::ranges::sort(places, std::greater{});
  for (const std::size_t at : places) { assign(text, at); }
  return text;
}

}  // namespace haloscope::host
