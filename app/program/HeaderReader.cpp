#include "program/HeaderReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloscope {

HeaderReader::HeaderReader(std::string file, const std::string& text) : file_(std::move(file)) {
  const std::size_t begin = text.find(kOpening);
  if (begin == std::string::npos) {
    throw SourceError(file_, {1, 1, 1, 1}, "no header: a kernel file begins with a \"/* haloscope … */\" comment");
  }
  const std::size_t end = text.find("*/", begin);
  if (end == std::string::npos) { throw SourceError(file_, {1, 1, 1, 1}, "the header comment is not closed with */"); }
  headerLine_ = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  firstCodeLine_ =
      2 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  // The opening is replaced by blanks, so that YAML reports positions in the file.
  const std::size_t body = begin + std::string(kOpening).size();
  try {
    root_ = YAML::Load(text.substr(body, end - body));
  } catch (const YAML::Exception& error) {
    throw SourceError(file_, place(error.mark), fmt::format("the header is not valid YAML: {}", error.msg));
  }
  if (!root_.IsMap()) {
    throw SourceError(file_, {headerLine_, 1, headerLine_, 1}, "the header must be a list of \"key: value\" lines");
  }
}

SourceRange HeaderReader::place(const YAML::Mark& mark) const {
  if (mark.line < 0) { return {headerLine_, 1, headerLine_, 1}; }
  const int line = headerLine_ + mark.line;
  const int column = mark.column + 1 + (mark.line == 0 ? static_cast<int>(std::string(kOpening).size()) : 0);
  return {line, column, line, column + 1};
}

void HeaderReader::fail(const YAML::Node& node, const std::string& message) const {
  throw SourceError(file_, place(node.Mark()), message);
}

void HeaderReader::expectKeys(const YAML::Node& node, const std::string& what,
                              std::initializer_list<const char*> known) const {
  if (!node.IsMap()) { fail(node, fmt::format("{} must be a list of \"key: value\"", what)); }
  for (const auto& entry : node) {
    const std::string word = text(entry.first, fmt::format("a key of {}", what));
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail(entry.first, fmt::format("unknown key \"{}\" in {}; known keys: {}", word, what, fmt::join(known, ", ")));
    }
  }
}

YAML::Node HeaderReader::need(const YAML::Node& map, const std::string& what, const char* word) const {
  YAML::Node node = map[word];
  if (!node) { fail(map, fmt::format("{} lacks the key \"{}\"", what, word)); }
  return node;
}

std::string HeaderReader::text(const YAML::Node& node, const std::string& what) const {
  if (!node.IsScalar()) { fail(node, fmt::format("{} must be one value", what)); }
  return node.as<std::string>();
}

std::int64_t HeaderReader::integer(const YAML::Node& node, const std::string& what) const {
  try {
    return node.as<std::int64_t>();
  } catch (const YAML::Exception&) { fail(node, fmt::format("{} must be an integer", what)); }
}

Expression HeaderReader::expression(const YAML::Node& node, const std::string& what) const {
  return Expression(text(node, what));
}

std::vector<Expression> HeaderReader::expressions(const YAML::Node& node, const std::string& what,
                                                  std::size_t count) const {
  if (!node.IsSequence() || (count != 0 && node.size() != count)) {
    fail(node, count == 0 ? fmt::format("{} must be a list [...]", what)
                          : fmt::format("{} must be a list of {} values", what, count));
  }
  std::vector<Expression> list;
  for (const auto& entry : node) { list.push_back(expression(entry, what)); }
  return list;
}

}  // namespace haloscope
