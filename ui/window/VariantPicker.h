#pragma once

#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The box that names the chosen variant, and the list it opens: every variant by chapter and section of the book, with
/// its idea, and the kernels of a file that has several. What is typed narrows the list; ↑ ↓ Enter choose, Esc closes
/// it. Writes AppState::choice.
class VariantPicker {
 public:
  VariantPicker(AppState& state, const Theme& theme) : state_(state), theme_(theme) {}

  struct Room {
    float width = 212;    ///< of the box at scale 1, at least; a longer name gets what it needs
    bool chapter = true;  ///< named in the box, too
    float most = 240;     ///< likewise; a longer name is cut off
  };
  [[nodiscard]] float width(const Room& room) const;  ///< of the box
  void draw(const Room& room);

 private:
  [[nodiscard]] std::string boxText(const Room& room) const;
  void drawList(bool opened);
  /// The field to search with, and the keys of the list. `found` are the variants that it shows.
  void drawSearch(bool opened, const std::vector<const KernelFile*>& found);
  void drawRow(const KernelFile& file, float nameWidth, bool scrollTo);
  void drawKernels(const KernelFile& file);
  void choose(const KernelFile& file);

  AppState& state_;
  const Theme& theme_;
};

}  // namespace haloscope::ui
