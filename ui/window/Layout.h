#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "state/AppState.h"
#include "ui/source/SourceEditor.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/TooltipPlace.h"
#include "ui/window/ExportWindow.h"
#include "ui/window/FileDialog.h"
#include "ui/window/HelpWindow.h"

namespace haloscope::render {
class SceneRenderers;
}

namespace haloscope::ui {

/// The frame of the window: toolbar on top, status bar below if there is anything to say, the panels of a workspace
/// docked between them, others in drawers over them. Where they
/// are at first, parts/Workspaces.cpp says; afterwards the user moves them, and ImGui's settings file remembers.
class Layout {
 public:
  /// Draws everything that is on the screen. Once per ImGui frame.
  void draw(AppState& state, const Theme& theme, render::SceneRenderers& scenes);

 private:
  void drawScreen(AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void drawPresentation(AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void drawStart(AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void drawBars(AppState& state, const Theme& theme);
  void drawDockSpace(AppState& state, const Theme& theme);
  void drawPanels(AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void drawPanel(const PanelRow& row, AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void drawDrawer(const PanelRow& row, AppState& state, const Theme& theme, render::SceneRenderers& scenes);
  void followWorkspace(const AppState& state);
  void followTabs(AppState& state);
  void followComparison(AppState& state);
  void followReport(AppState& state);
  void followTask(AppState& state);

  SourceEditor editor_;
  FileDialog fileDialog_;
  ExportWindow export_;
  HelpWindow help_;
  RestingTooltips tooltips_;
  // Both bars grow with their content: what they needed in the last frame is what they get in this one.
  float toolbarHeight_ = 0;
  float statusHeight_ = 0;
  std::shared_ptr<const checking::CheckReport> reportShown_;
  std::shared_ptr<const ShownProgram> programShown_;
  std::string kernelShown_;
  std::optional<Workspace> shown_;            ///< none before the first frame
  std::map<Workspace, std::size_t> divided_;  ///< how often each workspace's places are
  int tabsSettle_ = 0;                        ///< frames until the tabs that were asked for are in front
};

}  // namespace haloscope::ui
