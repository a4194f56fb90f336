#include "catalogue/YamlReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/Text.h"

namespace haloscope {

YamlReader::YamlReader(std::string file, const std::string& yaml, int line, int columns)
    : file_(std::move(file)), line_(line), columns_(columns) {
  try {
    root_ = YAML::Load(yaml);
  } catch (const YAML::Exception& error) {
    throw SourceError(file_, place(error.mark), trf("this is not valid YAML: {}", error.msg));
  }
  if (!root_.IsMap()) {
    throw SourceError(file_, {line_, 1, line_, 1}, tr("a list of \"key: value\" lines is needed here"));
  }
}

SourceRange YamlReader::place(const YAML::Mark& mark) const {
  if (mark.line < 0) { return {line_, 1, line_, 1}; }
  const int line = line_ + mark.line;
  const int column = mark.column + 1 + (mark.line == 0 ? columns_ : 0);
  return {line, column, line, column + 1};
}

void YamlReader::fail(const YAML::Node& node, const std::string& message) const {
  throw SourceError(file_, place(node), message);
}

void YamlReader::expectKeys(const YAML::Node& node, const std::string& what,
                            std::initializer_list<const char*> known) const {
  if (!node.IsMap()) { fail(node, trf("{} must be a list of \"key: value\"", what)); }
  for (const auto& entry : node) {
    const std::string word = text(entry.first, trf("a key of {}", what));
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail(entry.first, trf("unknown key \"{}\" in {}; known keys: {}", word, what, fmt::join(known, ", ")));
    }
  }
}

YAML::Node YamlReader::need(const YAML::Node& map, const std::string& what, const char* word) const {
  YAML::Node node = map[word];
  if (!node) { fail(map, trf("{} lacks the key \"{}\"", what, word)); }
  return node;
}

std::string YamlReader::text(const YAML::Node& node, const std::string& what) const {
  if (!node.IsScalar()) { fail(node, trf("{} must be one value", what)); }
  return node.as<std::string>();
}

std::int64_t YamlReader::integer(const YAML::Node& node, const std::string& what) const {
  try {
    return node.as<std::int64_t>();
  } catch (const YAML::Exception&) { fail(node, trf("{} must be an integer", what)); }
}

double YamlReader::number(const YAML::Node& node, const std::string& what) const {
  try {
    return node.as<double>();
  } catch (const YAML::Exception&) { fail(node, trf("{} must be a number", what)); }
}

Expression YamlReader::expression(const YAML::Node& node, const std::string& what) const {
  return Expression(text(node, what));
}

std::vector<Expression> YamlReader::expressions(const YAML::Node& node, const std::string& what,
                                                std::size_t count) const {
  if (!node.IsSequence() || (count != 0 && node.size() != count)) {
    fail(node, count == 0 ? trf("{} must be a list [...]", what) : trf("{} must be a list of {} values", what, count));
  }
  std::vector<Expression> list;
  for (const auto& entry : node) { list.push_back(expression(entry, what)); }
  return list;
}

}  // namespace haloscope
