#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The button that names the focused block, and the list it opens: one example of each kind of place, and a map of the
/// grid to click on. Writes AppState::choice.
class BlockPicker {
 public:
  BlockPicker(AppState& state, const Theme& theme);

  [[nodiscard]] float width() const;  ///< of the button
  void draw();

 private:
  void drawList();
  void drawPlaces();
  void drawMap();

  AppState& state_;
  const Theme& theme_;
  std::optional<Dim3> grid_;  ///< of the chosen launch
  std::optional<Dim3> block_;
};

}  // namespace haloscope::ui
