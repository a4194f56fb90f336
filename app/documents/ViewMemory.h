#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "state/View.h"

namespace haloscope {

/// The theme, the text size and the language, kept between runs of the program in a JSON file.
class ViewMemory {
 public:
  /// Reads the file if there is one. What is missing or damaged there has its default.
  explicit ViewMemory(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// Sets what the file contained; does nothing without a file.
  void restore(View& view) const;
  /// True if one of them has changed.
  bool remember(const View& view);
  /// The new content of the file.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  bool light_;
  float scale_;
  std::set<std::string> keysUsed_;
  std::optional<Language> language_;
};

}  // namespace haloscope
