#pragma once

#include <string>
#include <vector>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Something to say at the bottom, in a colour of its own.
struct StatusEntry {
  std::string text;
  ImU32 colour = 0;
  std::string tip;
};

/// Across the bottom of a frame: messages, and below them what was found or is not as usual.
class StatusBar {
 public:
  StatusBar(AppState& state, const Theme& theme);
  /// There is nothing to say: the panels get the room.
  [[nodiscard]] bool empty() const;
  void draw() const;

 private:
  AppState& state_;
  const Theme& theme_;
  std::vector<StatusEntry> entries_;
};

/// What the machine is: GPU, OpenGL renderer, where the field is computed and the block was recorded, how long it took.
void drawMachineTooltip(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
