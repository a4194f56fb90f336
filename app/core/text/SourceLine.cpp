#include "text/SourceLine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/Html.h"
#include "text/Printable.h"

namespace haloscope {

namespace {

void addPart(std::string& html, std::string_view text, std::string_view element) {
  if (text.empty()) { return; }
  if (element.empty()) {
    html += escaped(text);
    return;
  }
  const bool longer = printableLines(text).size() != text.size();
  fmt::format_to(std::back_inserter(html), "<{}{}>{}</{}>", element,
                 longer ? fmt::format(" data-bytes=\"{}\"", text.size()) : "", escaped(text),
                 element.substr(0, element.find(' ')));
}

}  // namespace

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) { line.remove_suffix(1); }
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string lineHtml(std::string_view line, std::span<const LinePart> parts, std::string_view between) {
  std::string html;
  std::size_t at = 0;
  for (const LinePart& part : parts) {
    const std::size_t begin = std::max(at, characterEnd(line, part.begin));
    const std::size_t end = std::max(begin, characterEnd(line, part.end));
    addPart(html, line.substr(at, begin - at), between);
    addPart(html, line.substr(begin, end - begin), part.element);
    at = end;
  }
  addPart(html, line.substr(at), between);
  return html;
}

}  // namespace haloscope
