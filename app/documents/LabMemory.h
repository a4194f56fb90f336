#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

namespace haloscope {

/// The progress in the bug lab, kept between runs of the program in a JSON file.
class LabMemory {
 public:
  /// Reads the file if there is one; a damaged file counts as empty.
  explicit LabMemory(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::map<std::string, LabProgress>& progress() const { return progress_; }
  /// True if the progress has changed.
  bool remember(const std::map<std::string, LabProgress>& progress);
  /// The new content of the file.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::map<std::string, LabProgress> progress_;
};

}  // namespace haloscope
