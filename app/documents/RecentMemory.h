#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "state/StartPage.h"

namespace haloscope {

/// What was looked at lately, kept between runs of the program in a JSON file.
class RecentMemory {
 public:
  /// Reads the file if there is one; entries that are damaged are left out.
  explicit RecentMemory(std::filesystem::path file);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::vector<RecentItem>& items() const { return items_; }
  /// Puts it first. True if the list has changed.
  bool remember(const RecentItem& item);
  /// The new content of the file.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::vector<RecentItem> items_;
};

}  // namespace haloscope
