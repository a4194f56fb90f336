#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

namespace haloscope {

/// The launch settings that the user gave for opened files, kept between runs of the program in a JSON file, by
/// absolute path. The opened files are not modified.
class RememberedLaunches {
 public:
  /// Reads the file if there is one; a damaged file counts as empty.
  explicit RememberedLaunches(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// The settings for a kernel file.
  [[nodiscard]] OpenedLaunch of(const std::filesystem::path& path) const;
  /// True if the settings have changed.
  bool remember(const std::filesystem::path& path, const OpenedLaunch& launch);
  /// The new content of the file.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::map<std::string, std::string> launches_;  ///< JSON of each, by path
};

}  // namespace haloscope
