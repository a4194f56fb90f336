#include "handout/SourceHtml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "frontend/CodeText.h"
#include "text/SourceLine.h"

namespace haloscope::handout {

namespace {

const char* elementOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::Keyword:
      return "span class=\"keyword\"";
    case TokenKind::Type:
      return "span class=\"type\"";
    case TokenKind::Cuda:
      return "span class=\"cuda\"";
    case TokenKind::Literal:
      return "span class=\"literal\"";
    case TokenKind::Comment:
      return "span class=\"comment\"";
    case TokenKind::Preprocessor:
      return "span class=\"directive\"";
    case TokenKind::Plain:
      return "span class=\"plain\"";
    case TokenKind::Name:
      break;
  }
  return "span class=\"name\"";
}

std::string codeHtml(const CodeLine& line) {
  std::vector<LinePart> parts;
  for (const Token& token : line.tokens) {
    parts.push_back(
        {static_cast<std::size_t>(token.begin), static_cast<std::size_t>(token.end), elementOf(token.kind)});
  }
  return lineHtml(line.text, parts, "span class=\"blank\"");
}

}  // namespace

std::string sourceLines(const std::string& text, int first, int end) {
  const std::vector<CodeLine> lines = readCode(text);
  std::string html;
  const int last = std::min(end, static_cast<int>(lines.size()) + 1);
  for (int line = std::max(1, first); line < last; ++line) {
    fmt::format_to(std::back_inserter(html), "<li value=\"{0}\" data-line=\"{0}\"><code>{1}</code></li>\n", line,
                   codeHtml(lines[static_cast<std::size_t>(line) - 1]));
  }
  return html;
}

}  // namespace haloscope::handout
