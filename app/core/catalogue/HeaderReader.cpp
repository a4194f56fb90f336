#include "catalogue/HeaderReader.h"

#include <algorithm>
#include <string_view>

#include "language/Text.h"

namespace haloscope {

HeaderReader::Comment HeaderReader::commentOf(const std::string& file, const std::string& text) {
  const std::size_t begin = text.find(kOpening);
  if (begin == std::string::npos) {
    throw SourceError(file, {1, 1, 1, 1}, tr("no header: a kernel file begins with a \"/* haloscope … */\" comment"));
  }
  const std::size_t end = text.find("*/", begin);
  if (end == std::string::npos) {
    throw SourceError(file, {1, 1, 1, 1}, tr("the header comment is not closed with */"));
  }
  const auto lines = [&](std::size_t to) {
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  };
  const std::size_t body = begin + std::string_view(kOpening).size();
  return {.yaml = text.substr(body, end - body), .line = 1 + lines(begin), .firstCodeLine = 2 + lines(end)};
}

HeaderReader::HeaderReader(const std::string& file, const std::string& text)
    : HeaderReader(file, commentOf(file, text)) {}

HeaderReader::HeaderReader(const std::string& file, const Comment& comment)
    : YamlReader(file, comment.yaml, comment.line, static_cast<int>(std::string_view(kOpening).size())),
      firstCodeLine_(comment.firstCodeLine) {}

}  // namespace haloscope
