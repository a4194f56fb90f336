#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

namespace haloscope {

/// How far a reader has come in the course, kept between runs of the program in a JSON file.
class LessonMemory {
 public:
  /// Reads the file if there is one; what is damaged in it counts as missing.
  explicit LessonMemory(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  void restore(LessonView& view) const;
  /// True if something has changed.
  bool remember(const LessonView& view);
  /// The new content of the file.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::string last_;
  std::map<std::string, LessonProgress> progress_;
};

}  // namespace haloscope
