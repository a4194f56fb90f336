#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

struct ImGuiInputTextCallbackData;

namespace haloscope::ui {

/// Asks for the path of a kernel file, to open or to save as: a field to type it, and the folder's files that match
/// what is typed. Keys act on nothing else meanwhile.
class FileDialog {
 public:
  /// Draws nothing unless View::fileDialog asks for it.
  void draw(AppState& state, const Theme& theme);

 private:
  struct Entry {
    std::string name;
    bool folder = false;
  };

  void begin(const AppState& state);
  void drawFields(AppState& state, const Theme& theme);
  void drawEntries(AppState& state, const Theme& theme);
  /// The field of the path. True if Enter was pressed in it.
  bool drawPath();
  bool drawButtons(AppState& state, const Theme& theme);
  static int onKey(ImGuiInputTextCallbackData* data);

  [[nodiscard]] bool saving() const { return shown_ != View::FileDialog::Open; }
  /// Goes to a folder.
  void show(const std::filesystem::path& folder);
  /// Lists a folder, without going there.
  void list(const std::filesystem::path& folder);
  /// After each change of the path: what it names of which folder.
  void follow();
  /// Those that contain what is typed; those that begin with it first.
  [[nodiscard]] std::vector<Entry> matching() const;
  /// What is typed, continued as far as all entries that begin with it agree.
  [[nodiscard]] std::string completed() const;
  [[nodiscard]] std::filesystem::path typed() const;
  void accept(AppState& state);
  void take(AppState& state, const std::filesystem::path& path);

  View::FileDialog shown_ = View::FileDialog::None;
  std::filesystem::path folder_;  ///< what a relative path begins at
  std::filesystem::path listed_;
  std::vector<Entry> entries_;      ///< of listed_
  std::string path_;                ///< as typed
  std::string query_;               ///< its last part, once it was typed
  std::optional<std::size_t> row_;  ///< of matching(): what Enter takes
  bool moved_ = false;              ///< to that row, by the arrow keys
  bool focus_ = false;              ///< the field is to get the keys
};

}  // namespace haloscope::ui
