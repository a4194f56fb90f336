#pragma once

#include <memory>

#include "state/AppState.h"
#include "ui/source/SourceEditor.h"
#include "ui/widgets/Theme.h"
#include "ui/window/FileDialog.h"

namespace haloscope::render {
class SceneRenderers;
}

namespace haloscope::ui {

/// The frame of the window: toolbar on top, status bar below, the panels docked between them. Where the panels are at
/// first is written here once; afterwards the person moves them, and ImGui's settings file remembers.
class Layout {
 public:
  /// Draws everything that is on the screen. Once per ImGui frame.
  void draw(AppState& state, const Theme& theme, render::SceneRenderers& scenes);

 private:
  void drawBars(AppState& state, const Theme& theme);
  void drawDockSpace(AppState& state, const Theme& theme);
  void drawLab(AppState& state, const Theme& theme);
  void drawPanels(AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void followFieldTab(AppState& state);
  void followMemoryTab(AppState& state);
  void followCentreTabs(AppState& state);
  void followReport(const AppState& state);

  SourceEditor editor_;
  FileDialog fileDialog_;
  // Both bars grow with their content: what they needed in the last frame is what they get in this one.
  float toolbarHeight_ = 0;
  float statusHeight_ = 0;
  bool fieldShown_ = false;  ///< the wish when it was last followed
  std::shared_ptr<const checking::CheckReport> reportShown_;
  MemoryTab memoryTabShown_ = MemoryTab::Memory;  ///< the wish when it was last followed
  int memoryTabSettles_ = 0;
  int tabSettles_ = 0;  ///< frames until the tab in front is again the person's doing
};

}  // namespace haloscope::ui
