#include "ui/window/ViewMenu.h"

#include <imgui.h>

#include <array>

#include "state/Choices.h"
#include "state/Comparing.h"
#include "state/ViewActions.h"
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
    if (ImGui::MenuItem(panel->title, keyText(shortcut).c_str(), state.view.tabs.inFront(panel->tab))) {
      shortcut.act(state);
    }
  }
}

// Which warp runs when: a right kernel gives the same result in every order.
void drawOrderMenu(AppState& state) {
  using simt::WarpOrder;
  if (!ImGui::BeginMenu("Warp order")) { return; }
  struct Entry {
    WarpOrder order;
    const char* tip;
  };
  static constexpr std::array kOrders = {
      Entry{WarpOrder::SideBySide, "no warp runs ahead of another"},
      Entry{WarpOrder::InOrder, "warp 0 runs to the barrier first, then warp 1, …"},
      Entry{WarpOrder::Reversed, "the last warp runs to the barrier first"},
      Entry{WarpOrder::Random, "chosen at random at every turn"},
      Entry{WarpOrder::Adversarial, "reversed in even barrier intervals, in order in odd ones"},
  };
  for (const Entry& entry : kOrders) {
    if (ImGui::MenuItem(orderName(entry.order), nullptr, state.choice.order == entry.order)) {
      state.choice.order = entry.order;
    }
    ImGui::SetItemTooltip("%s", entry.tip);
  }
  ImGui::Separator();
  if (ImGui::MenuItem("another random order", nullptr, false, state.choice.order == WarpOrder::Random)) {
    ++state.choice.orderSeed;
  }
  ImGui::EndMenu();
}

}  // namespace

void drawViewMenu(AppState& state) {
  if (ImGui::Button("View")) { ImGui::OpenPopup("view menu"); }
  if (!ImGui::BeginPopup("view menu")) { return; }
  menuItem(state, "Open a file…", openFileDialog);
  menuItem(state, "Edit the source", toggleEditor, state.editing.open);
  menuItem(state, "Save", saveText);
  if (ImGui::MenuItem("Save as…")) { state.view.fileDialog = View::FileDialog::SaveAs; }
  const auto copy = state.copies.find(state.choice.kernel);
  if (ImGui::MenuItem("Back to the file's text", nullptr, false,
                      copy != state.copies.end() && copy->second.changed())) {
    state.fileRequests.revert = true;
  }
  if (state.launches.contains(state.choice.kernel)) {
    menuItem(state, "Launch…", toggleLaunchTable, state.view.showLaunch);
  }
  ImGui::Separator();
  menuItem(state, "Light theme", toggleTheme, state.view.light);
  menuItem(state, "Larger text", enlargeText);
  menuItem(state, "Smaller text", shrinkText);
  menuItem(state, "Default text size", resetTextSize);
  ImGui::Separator();
  menuItem(state, "Compare variants", toggleComparison, state.comparison.on);
  menuItem(state, "Step through the GPU's execution", toggleGpuStepping, state.gpuStepping.wanted);
  drawOrderMenu(state);
  ImGui::Separator();
  drawPanelItems(state);
  menuItem(state, "Reset layout", resetLayout);
  ImGui::Separator();
  menuItem(state, "Shortcuts and glossary", toggleHelp, state.view.showHelp);
  if (ImGui::MenuItem("About Haloscope")) { state.view.showAbout = true; }
  menuItem(state, "Quit", quit);
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
