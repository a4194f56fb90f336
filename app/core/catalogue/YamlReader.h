#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "catalogue/Expression.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// YAML, read strictly: every error names file:line:column.
class YamlReader {
 public:
  /// `yaml` begins in the given line of the file, after so many columns. Throws SourceError if it is not YAML, or not a
  /// map.
  YamlReader(std::string file, const std::string& yaml, int line = 1, int columns = 0);

  [[nodiscard]] const YAML::Node& root() const { return root_; }

  /// Throws if `node` is not a map, or has a key that is not in `known`.
  void expectKeys(const YAML::Node& node, const std::string& what, std::initializer_list<const char*> known) const;
  /// The entry; throws if it is missing.
  [[nodiscard]] YAML::Node need(const YAML::Node& map, const std::string& what, const char* word) const;

  [[nodiscard]] std::string text(const YAML::Node& node, const std::string& what) const;
  [[nodiscard]] std::int64_t integer(const YAML::Node& node, const std::string& what) const;
  [[nodiscard]] double number(const YAML::Node& node, const std::string& what) const;
  [[nodiscard]] Expression expression(const YAML::Node& node, const std::string& what) const;
  /// A list of exactly `count` expressions; 0: of any number.
  [[nodiscard]] std::vector<Expression> expressions(const YAML::Node& node, const std::string& what,
                                                    std::size_t count) const;
  /// The place of a node in the file.
  [[nodiscard]] SourceRange place(const YAML::Node& node) const { return place(node.Mark()); }
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

 private:
  [[nodiscard]] SourceRange place(const YAML::Mark& mark) const;

  std::string file_;
  int line_, columns_;
  YAML::Node root_;
};

/// The YAML of a kernel file's header.
class HeaderReader : public YamlReader {
 public:
  /// What a header begins with.
  static constexpr const char* kOpening = "/* haloscope";

  /// `text` is a whole kernel file. Throws SourceError if it has no "/* haloscope … */" header, or one that is not
  /// YAML.
  HeaderReader(const std::string& file, const std::string& text);

  /// First line of the file after the header.
  [[nodiscard]] int firstCodeLine() const { return firstCodeLine_; }

 private:
  struct Comment {
    std::string yaml;
    int line = 1, firstCodeLine = 1;
  };
  [[nodiscard]] static Comment commentOf(const std::string& file, const std::string& text);
  HeaderReader(const std::string& file, const Comment& comment);

  int firstCodeLine_;
};

}  // namespace haloscope
