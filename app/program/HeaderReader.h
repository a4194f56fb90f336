#pragma once

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "program/Expression.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// The YAML of a kernel file's header, read strictly: every error names file:line:column of the kernel file.
class HeaderReader {
 public:
  /// What a header begins with.
  static constexpr const char* kOpening = "/* haloscope";

  /// `text` is a whole kernel file. Throws SourceError if it has no "/* haloscope … */" header, or one that is not
  /// YAML.
  HeaderReader(std::string file, const std::string& text);

  [[nodiscard]] const YAML::Node& root() const { return root_; }
  /// First line of the file after the header.
  [[nodiscard]] int firstCodeLine() const { return firstCodeLine_; }

  /// Throws if `node` is not a map, or has a key that is not in `known`.
  void expectKeys(const YAML::Node& node, const std::string& what, std::initializer_list<const char*> known) const;
  /// The entry; throws if it is missing.
  [[nodiscard]] YAML::Node need(const YAML::Node& map, const std::string& what, const char* word) const;

  [[nodiscard]] std::string text(const YAML::Node& node, const std::string& what) const;
  [[nodiscard]] std::int64_t integer(const YAML::Node& node, const std::string& what) const;
  [[nodiscard]] Expression expression(const YAML::Node& node, const std::string& what) const;
  /// A list of exactly `count` expressions; 0: of any number.
  [[nodiscard]] std::vector<Expression> expressions(const YAML::Node& node, const std::string& what,
                                                    std::size_t count) const;
  /// The place of a node's mark in the kernel file.
  [[nodiscard]] SourceRange place(const YAML::Mark& mark) const;
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

 private:
  std::string file_;
  YAML::Node root_;
  int headerLine_ = 1;
  int firstCodeLine_ = 1;
};

}  // namespace haloscope
