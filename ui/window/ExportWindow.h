#pragma once

#include <filesystem>
#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The dialog that exports a panel: as what, where to, which steps; then how far it has come.
class ExportWindow {
 public:
  /// Draws nothing unless Exporting::dialog asks for it. Keeps the rest of the window from changing meanwhile.
  void draw(AppState& state, const Theme& theme);

 private:
  void begin(AppState& state);
  void drawChoices(AppState& state, const Theme& theme);
  void drawPanelChoice(AppState& state);
  void drawFormatChoice(AppState& state, const Theme& theme);
  void drawSteps(AppState& state, const Theme& theme);
  void drawOutcome(const AppState& state, const Theme& theme) const;
  void drawButtons(AppState& state, const Theme& theme);
  /// The name of the file follows panel and format, until the user types another one.
  void follow(AppState& state);
  /// Looks at the name, whose ending chooses the format, and at the size: after each change.
  void look(AppState& state);

  bool shown_ = false, named_ = false;  ///< named_: by the user
  std::string path_;
  std::string folder_;
  std::filesystem::path output_;  ///< path_, in the folder if it names none
  bool replaces_ = false;         ///< a file that is there
  std::string problem_;           ///< why it cannot be written like that; empty: it can
  std::string tooMany_;           ///< ... or why its steps cannot
};

}  // namespace haloscope::ui
