#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "state/AppState.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Theme.h"

namespace haloscope::render {
class SceneRenderers;
}
namespace haloscope::ui {

class SourceEditor;

/// Where a panel is docked at first. Panels with the same place are tabs there, and the first of them is in front.
enum class DockPlace : std::uint8_t { Source, Centre, Memory, Timeline, OpPerByte, Timings, Roofline };

/// What some panels draw with.
struct PanelTools {
  render::SceneRenderers& scenes;
  SourceEditor& editor;
};

/// A panel of the window: a file that defines one of these as kNamePanel, and a row `Name` in state/Tabs.h. A panel
/// reads the state and writes requests into it (choice, cursor, playback, selection, view); it computes nothing about
/// kernels.
struct Panel {
  Tab tab;
  const char* title;  ///< of its window, in English: trMark("…")
  DockPlace place;
  void (*draw)(AppState& state, const Theme& theme, const PanelTools& tools);  ///< inside its window
  std::span<const Shortcut> shortcuts{};  ///< the first of them, if any, brings the panel to the front or back
  /// Not drawn while variants are side by side or a figure is wide: they need its room.
  bool yields = false;
  bool closable = false;

  /// The window's id in every language, so that it stays where it is docked when the language changes.
  [[nodiscard]] std::string window() const { return std::string("###") + title; }
};

/// For a panel's first shortcut: brings `tab` to the front, or `other` where it is there already.
template <Tab tab, Tab other>
void toggleTab(AppState& state) {
  state.view.tabs.toggle(tab, other);
}

}  // namespace haloscope::ui
