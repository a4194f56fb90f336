#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

namespace haloscope {

/// How far a person has come in the bug lab, from one run of the program to the next: a JSON file.
class LabMemory {
 public:
  /// Reads the file, if there is one; one that is damaged counts as empty.
  explicit LabMemory(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::map<std::string, LabProgress>& progress() const { return progress_; }
  /// True if that is news.
  bool remember(const std::map<std::string, LabProgress>& progress);
  /// The whole memory, as the file shall hold it.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::map<std::string, LabProgress> progress_;
};

}  // namespace haloscope
