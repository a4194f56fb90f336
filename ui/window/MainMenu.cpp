#include "ui/window/MainMenu.h"

#include <imgui.h>

#include <array>
#include <string>

#include "actions/CameraActions.h"
#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/ExportActions.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "actions/ViewActions.h"
#include "language/Language.h"
#include "language/Text.h"
#include "state/StartPage.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

void menuItem(AppState& state, const char* text, Act act, bool on = false) {
  if (ImGui::MenuItem(text, keyText(act).c_str(), on)) { act(state); }
}

// Panels that come to the front with a key.
void drawPanelItems(AppState& state) {
  for (const Panel* panel : panels()) {
    if (panel->shortcuts.empty()) { continue; }
    const Shortcut& shortcut = panel->shortcuts.front();
    if (ImGui::MenuItem(tr(panel->title), keyText(shortcut).c_str(), state.view.tabs.inFront(panel->tab))) {
      shortcut.act(state);
    }
  }
}

// Which warp runs when: a right kernel gives the same result in every order.
void drawOrderItems(AppState& state) {
  using simt::WarpOrder;
  ImGui::TextDisabled("%s", tr("Warp order"));
  struct Entry {
    WarpOrder order;
    const char* tip;
  };
  static constexpr std::array kOrders = {
      Entry{WarpOrder::SideBySide, trMark("no warp runs ahead of another")},
      Entry{WarpOrder::InOrder, trMark("warp 0 runs to the barrier first, then warp 1, …")},
      Entry{WarpOrder::Reversed, trMark("the last warp runs to the barrier first")},
      Entry{WarpOrder::Random, trMark("chosen at random at every turn")},
      Entry{WarpOrder::Adversarial, trMark("reversed in even barrier intervals, in order in odd ones")},
  };
  for (const Entry& entry : kOrders) {
    if (ImGui::MenuItem(orderName(entry.order), nullptr, state.choice.order == entry.order)) {
      state.choice.order = entry.order;
    }
    ImGui::SetItemTooltip("%s", tr(entry.tip));
  }
  if (ImGui::MenuItem(tr("another random order"), nullptr, false, state.choice.order == WarpOrder::Random)) {
    ++state.choice.orderSeed;
  }
}

void drawFileMenu(AppState& state) {
  menuItem(state, tr("Open a file…"), openFileDialog);
  menuItem(state, savesScenes(state) ? tr("Save the scenes") : tr("Save the source"), save);
  if (ImGui::MenuItem(tr("Save as…"))) { state.view.fileDialog = View::FileDialog::SaveAs; }
  menuItem(state, tr("Export a panel…"), toggleExport, state.exporting.dialog);
  const std::string link = linkToPage(state);
  if (ImGui::MenuItem(tr("Copy a link to this place"), nullptr, false, !link.empty())) {
    ImGui::SetClipboardText(link.c_str());
  }
  ImGui::SetItemTooltip("%s", tr("Its address in what haloscope site writes: the page of this variant, with these "
                                 "sizes, at this step"));
  ImGui::Separator();
  menuItem(state, tr("Edit the source"), toggleEditor, state.editing.open);
  const auto copy = state.copies.find(state.choice.kernel);
  if (ImGui::MenuItem(tr("Back to the file's text"), nullptr, false,
                      copy != state.copies.end() && copy->second.changed())) {
    state.fileRequests.revert = true;
  }
  if (state.launches.contains(state.choice.kernel)) {
    menuItem(state, tr("Launch…"), toggleLaunchTable, state.view.showLaunch);
  }
}

void drawLectureMenu(AppState& state) {
  menuItem(state, tr("Present"), togglePresenting);
  menuItem(state, tr("Scenes of a lecture"), toggleScenes, state.session.listed);
  if (ImGui::MenuItem(tr("New scenes"), nullptr, false, !state.session.scenes.empty())) { newSession(state); }
  if (ImGui::MenuItem(tr("Save the scenes as…"), nullptr, false, !state.session.scenes.empty())) {
    state.view.fileDialog = View::FileDialog::SaveSession;
  }
}

void drawExecutionMenu(AppState& state) {
  drawOrderItems(state);
  ImGui::Separator();
  menuItem(state, tr("Step through the GPU's execution"), toggleGpuStepping, state.gpuStepping.wanted);
  menuItem(state, tr("Compare variants"), toggleComparison, state.comparison.on);
}

void drawPanelsMenu(AppState& state) {
  drawPanelItems(state);
  ImGui::Separator();
  menuItem(state, tr("Reset layout"), resetLayout);
}

void drawAppearanceMenu(AppState& state) {
  menuItem(state, tr("Light theme"), toggleTheme, state.view.light);
  ImGui::MenuItem(tr("Reduced motion"), nullptr, &state.view.reducedMotion);
  // In the language that it leads to.
  menuItem(state, language() == Language::English ? "中文 (Chinese)" : "English", toggleLanguage);
  ImGui::Separator();
  menuItem(state, tr("Larger text"), enlargeText);
  menuItem(state, tr("Smaller text"), shrinkText);
  menuItem(state, tr("Default text size"), resetTextSize);
}

void drawCameraMenu(AppState& state) {
  const Shot shot = state.view.shot;
  if (ImGui::MenuItem(tr("The grid"), nullptr, shot == Shot::Grid)) { showGrid(state); }
  menuItem(state, tr("The whole block"), fitStage, shot == Shot::Stage);
  if (ImGui::MenuItem(tr("One thread"), nullptr, shot == Shot::Thread)) { showThread(state); }
  menuItem(state, tr("Closer"), goCloser);
  menuItem(state, tr("Further"), goFurther);
}

}  // namespace

void drawMainMenu(AppState& state) {
  struct Group {
    const char* name;
    void (*draw)(AppState& state);
  };
  static constexpr std::array kGroups = {
      Group{trMark("File"), drawFileMenu},           Group{trMark("Lecture"), drawLectureMenu},
      Group{trMark("Execution"), drawExecutionMenu}, Group{trMark("Camera"), drawCameraMenu},
      Group{trMark("Panels"), drawPanelsMenu},       Group{trMark("Appearance"), drawAppearanceMenu}};
  if (ImGui::Button(tr("Menu"))) { ImGui::OpenPopup("main menu"); }
  if (!ImGui::BeginPopup("main menu")) { return; }
  for (const Group& group : kGroups) {
    if (!ImGui::BeginMenu(windowName(group.name).c_str())) { continue; }
    group.draw(state);
    ImGui::EndMenu();
  }
  ImGui::Separator();
  menuItem(state, tr("Start page"), showStartPage, state.start.shown);
  menuItem(state, tr("Manual"), toggleHelp, state.view.showHelp);
  if (ImGui::MenuItem(tr("About Haloscope"))) { state.view.showAbout = true; }
  menuItem(state, tr("Quit"), quit);
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
