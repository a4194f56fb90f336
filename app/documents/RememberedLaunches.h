#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

namespace haloscope {

/// What a person said about the launches of their files, from one run of the program to the next: a JSON file, by
/// absolute path. Their files themselves are left alone.
class RememberedLaunches {
 public:
  /// Reads the file, if there is one; one that is damaged counts as empty.
  explicit RememberedLaunches(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// What was said of that kernel file.
  [[nodiscard]] OpenedLaunch of(const std::filesystem::path& path) const;
  /// True if something new was said.
  bool remember(const std::filesystem::path& path, const OpenedLaunch& launch);
  /// The whole memory, as the file shall hold it.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::map<std::string, std::string> launches_;  ///< JSON of each, by path
};

}  // namespace haloscope
