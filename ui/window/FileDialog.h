#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Asks for the path of a kernel file, to open or to save as: a field to type it, and the folder's files to click.
class FileDialog {
 public:
  /// Draws nothing unless View::fileDialog asks for it.
  void draw(AppState& state, const Theme& theme);

 private:
  struct Entry {
    std::string name;
    bool folder = false;
  };

  void show(const std::filesystem::path& folder);
  void drawEntries(const Theme& theme);
  void accept(AppState& state);

  View::FileDialog shown_ = View::FileDialog::None;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string path_;
};

}  // namespace haloscope::ui
