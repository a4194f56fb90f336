#include "text/Html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "text/Printable.h"

namespace haloscope {

namespace {

/// Of what is printable already.
std::string withEntities(std::string_view text) {
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
      default:
        html += c;
    }
  }
  return html;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t tab = std::min(text.find('\t', begin), text.size());
    html += withEntities(printable(text.substr(begin, tab - begin)));
    if (tab < text.size()) { html += '\t'; }
    begin = tab + 1;
  }
  return html;
}

std::string escapedLines(std::string_view text) { return withEntities(printableLines(text)); }

std::string escapedJson(std::string_view json) {
  std::string text;
  for (const char c : json) { text += c == '<' ? std::string("\\u003c") : std::string(1, c); }
  return text;
}

std::string linkTo(std::string_view path) {
  std::string link;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '.' || c == '-' || c == '_' || c == '/');
    link += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return link;
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

}  // namespace haloscope
