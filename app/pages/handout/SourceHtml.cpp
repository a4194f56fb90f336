#include "handout/SourceHtml.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "cells/CodeHtml.h"

namespace haloscope::handout {

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
