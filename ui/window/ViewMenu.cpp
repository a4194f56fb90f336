#include "ui/window/ViewMenu.h"

#include <imgui.h>

#include <array>

#include "state/Choices.h"
#include "ui/window/Keyboard.h"

namespace haloscope::ui {

namespace {

void menuItem(AppState& state, const char* text, Action action, bool on = false) {
  if (ImGui::MenuItem(text, keyText(action).c_str(), on)) { perform(state, action); }
}

// Which warp runs when: a right kernel gives the same result in every order.
void drawOrderMenu(AppState& state) {
  using simt::WarpOrder;
  if (!ImGui::BeginMenu("Order of warps")) { return; }
  struct Entry {
    WarpOrder order;
    const char* tip;
  };
  static constexpr std::array kOrders = {
      Entry{WarpOrder::SideBySide, "no warp runs ahead of another"},
      Entry{WarpOrder::InOrder, "warp 0 runs to the barrier first, then warp 1, …"},
      Entry{WarpOrder::Reversed, "the last warp runs to the barrier first"},
      Entry{WarpOrder::Random, "drawn anew for every turn"},
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
  menuItem(state, "Open a file…", Action::OpenFile);
  menuItem(state, "Bug lab", Action::BugLab, state.view.showBugLab);
  menuItem(state, "Edit the text", Action::Edit, state.editing.open);
  menuItem(state, "Save", Action::Save);
  if (ImGui::MenuItem("Save as…")) { state.view.fileDialog = View::FileDialog::SaveAs; }
  const auto copy = state.copies.find(state.choice.kernel);
  if (ImGui::MenuItem("Back to the file's text", nullptr, false,
                      copy != state.copies.end() && copy->second.changed())) {
    state.fileRequests.revert = true;
  }
  if (state.launches.contains(state.choice.kernel)) {
    menuItem(state, "Launch…", Action::LaunchTable, state.view.showLaunch);
  }
  ImGui::Separator();
  menuItem(state, "Light theme", Action::SwitchTheme, state.view.light);
  menuItem(state, "Larger text", Action::LargerText);
  menuItem(state, "Smaller text", Action::SmallerText);
  menuItem(state, "Ordinary text", Action::OrdinaryText);
  ImGui::Separator();
  menuItem(state, "Variants side by side", Action::Compare, state.comparison.on);
  menuItem(state, "Step through what the GPU did", Action::GpuStepping, state.gpuStepping.wanted);
  menuItem(state, "Field in front", Action::FieldTab, state.view.showField);
  menuItem(state, "Tuning map in front", Action::TuningTab, state.tuning.shown);
  menuItem(state, "Figures in front", Action::FiguresTab, state.figures.shown);
  drawOrderMenu(state);
  menuItem(state, "Reset layout", Action::ResetLayout);
  ImGui::Separator();
  menuItem(state, "Keys and words", Action::Help, state.view.showHelp);
  if (ImGui::MenuItem("About Haloscope")) { state.view.showAbout = true; }
  menuItem(state, "Quit", Action::Quit);
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
