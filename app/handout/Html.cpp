#include "handout/Html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "state/CodeText.h"

namespace haloscope::handout {

namespace {

const char* classOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::Keyword:
      return "keyword";
    case TokenKind::Type:
      return "type";
    case TokenKind::Cuda:
      return "cuda";
    case TokenKind::Literal:
      return "literal";
    case TokenKind::Comment:
      return "comment";
    case TokenKind::Preprocessor:
      return "directive";
    case TokenKind::Plain:
      return "plain";
    case TokenKind::Name:
      break;
  }
  return "name";
}

std::string lineHtml(const CodeLine& line) {
  std::string html;
  const auto add = [&](const char* kind, std::size_t begin, std::size_t end) {
    if (begin < end) {
      fmt::format_to(std::back_inserter(html), "<span class=\"{}\">{}</span>", kind,
                     escaped(line.text.substr(begin, end - begin)));
    }
  };
  std::size_t at = 0;
  for (const Token& token : line.tokens) {
    const auto begin = static_cast<std::size_t>(token.begin), end = static_cast<std::size_t>(token.end);
    add("blank", at, begin);
    add(classOf(token.kind), begin, end);
    at = end;
  }
  add("blank", at, line.text.size());
  return html;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      case '\0':  // no HTML has it
        html += "\xef\xbf\xbd";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string escapedJson(std::string_view json) {
  std::string text;
  for (const char c : json) { text += c == '<' ? std::string("\\u003c") : std::string(1, c); }
  return text;
}

std::string filledIn(std::string_view pattern, const std::map<std::string, std::string>& texts) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t open = pattern.find("{{"); open != std::string_view::npos; open = pattern.find("{{", at)) {
    const std::size_t close = pattern.find("}}", open);
    if (close == std::string_view::npos) { break; }
    result += pattern.substr(at, open - at);
    result += texts.at(std::string(pattern.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return result += pattern.substr(at);
}

std::string sourceLines(const std::string& text, int first, int end) {
  const std::vector<CodeLine> lines = readCode(text);
  std::string html;
  const int last = std::min(end, static_cast<int>(lines.size()) + 1);
  for (int line = std::max(1, first); line < last; ++line) {
    fmt::format_to(std::back_inserter(html), "<li value=\"{0}\" data-line=\"{0}\"><code>{1}</code></li>\n", line,
                   lineHtml(lines[static_cast<std::size_t>(line) - 1]));
  }
  return html;
}

}  // namespace haloscope::handout
