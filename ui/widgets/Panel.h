#pragma once

#include <span>

#include "state/AppState.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Theme.h"

namespace haloscope::render {
class SceneRenderers;
}
namespace haloscope::ui {

class SourceEditor;

/// What some panels draw with.
struct PanelTools {
  render::SceneRenderers& scenes;
  SourceEditor& editor;
};

/// A panel of the window: a file that defines one of these as kNamePanel, a row `Name` in parts/Panels.h, and a row
/// in parts/Workspaces.cpp for each workspace that shows it. A panel reads the state and writes requests into it
/// (choice, cursor, playback, selection, view); it computes nothing about kernels.
struct Panel {
  Tab tab;
  const char* title;  ///< of its window, in English: trMark("…")
  void (*draw)(AppState& state, const Theme& theme, const PanelTools& tools);  ///< inside its window
  std::span<const Shortcut> shortcuts{};  ///< the first of them, if any, brings the panel to the front or back
};

/// For a panel's first shortcut: Tabs::toggle.
template <Tab tab, Tab other = Tab::Block>
void toggleTab(AppState& state) {
  state.view.tabs.toggle(tab, other);
}

}  // namespace haloscope::ui
