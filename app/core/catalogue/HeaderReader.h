#pragma once

#include <string>

#include "catalogue/YamlReader.h"

namespace haloscope {

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
