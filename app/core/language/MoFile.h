#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace haloscope {

/// A compiled catalogue of gettext: what msgfmt makes of a .po file.
class MoFile {
 public:
  /// Throws LanguageError, which names `path`, if the content is damaged.
  MoFile(std::string content, std::string_view path);
  MoFile(const MoFile&) = delete;
  MoFile& operator=(const MoFile&) = delete;

  /// Null where there is no translation.
  [[nodiscard]] const char* find(std::string_view english) const;

 private:
  std::string content_;
  std::unordered_map<std::string_view, const char*> texts_;
};

}  // namespace haloscope
