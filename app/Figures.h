#pragma once

#include <string>

/// What the figures of the window show, and what the person wants of them. Each figure has a member of its own here.
namespace haloscope {

struct Figures {
  bool shown = false;             ///< their panel is on the screen; written by the layout
  std::string inFront = "shape";  ///< id of the one that is drawn; of ui::figures()

  /// Whether this figure is on the screen: only then is it computed.
  [[nodiscard]] bool shows(const char* id) const { return shown && inFront == id; }
};

}  // namespace haloscope
