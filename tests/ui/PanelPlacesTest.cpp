#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstddef>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "ui/window/WorkspaceDock.h"

/// Where panels are: docked, in tabs, beside the list of scenes, in a drawer.
namespace haloscope::test {
namespace {

class PanelPlaces : public ::testing::Test {
 protected:
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys); }));
  }
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(PanelPlaces, ShiftLRestoresTheOrderOfTabs) {
  state().view.tabs.enter(Workspace::Learn);
  driver_.settle();
  const auto order = [&] {
    std::vector<std::string> names;
    const ImGuiTabBar* bar = windowOf(state(), Tab::Memory)->DockNode->TabBar;
    for (const ImGuiTabItem& tab : bar->Tabs) { names.emplace_back(tab.Window->Name); }
    return names;
  };
  const std::vector<std::string> first = order();
  ASSERT_GT(first.size(), 3U);
  ImGuiTabBar* bar = windowOf(state(), Tab::Memory)->DockNode->TabBar;
  ImGui::TabBarQueueReorder(bar, &bar->Tabs[0], 2);
  driver_.app().frame(1.0 / 60);
  driver_.app().frame(1.0 / 60);
  ASSERT_NE(order(), first);
  press(ImGuiMod_Shift | ImGuiKey_L);
  driver_.settle();
  EXPECT_EQ(order(), first);
  std::vector<std::string> rows;
  for (const PanelRow& row : layoutOf(Workspace::Learn).panels) {
    if (row.place == "below") { rows.push_back(ui::windowName(Workspace::Learn, row.tab)); }
  }
  EXPECT_EQ(order(), rows) << "that of the workspace";
}

TEST_F(PanelPlaces, ASourceThatIsClosedIsNotOnScreen) {
  press(ImGuiKey_F4);
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Source));
  press(ImGuiKey_F4);
  driver_.settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Source)) << "the stage shows its lines again";
  press(ImGuiKey_F4);
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Source)) << "and the key opens it at once";
}

TEST_F(PanelPlaces, ADrawerLeavesTheOutputsInView) {
  state().choice.kernel = "stencil/coarsened";
  driver_.settle();
  const auto rightmost = [&](float right) {
    float last = 0;
    EXPECT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      const ImRect room = user->ItemInfo((pathOf(state(), Tab::Block) + "/scene").c_str()).RectFull;
      for (float x = right; x > room.Min.x && last == 0; x -= 6) {
        for (float share = 0.3F; share < 0.9F && last == 0; share += 0.1F) {
          user->MouseTeleportToPos({x, room.Min.y + share * room.GetHeight()});
          user->Yield();
          if (state().selection.hoveredPoint) { last = x; }
        }
      }
    }));
    return last;
  };
  const float before = rightmost(1240);
  state().view.tabs.bringToFront(Tab::Memory);
  driver_.settle();
  const float edge = windowOf(state(), Tab::Memory)->Pos.x;
  ASSERT_GT(before, edge) << "that is where the outputs are";
  const float after = rightmost(edge - 4);
  EXPECT_GT(after, edge - 80) << "they lie beside the drawer";
  EXPECT_LT(after, edge);
  EXPECT_TRUE(state().view.camera == SceneCamera{}) << "the reader's own view is not changed";
}

TEST_F(PanelPlaces, TheListOfScenesTakesItsRoomFromAllPanels) {
  const auto widths = [&] {
    std::vector<float> found;
    for (const PanelRow& row : layoutOf(state().view.tabs.workspace()).panels) {
      const ImGuiWindow* window = windowOf(state(), row.tab);
      const bool shown = window != nullptr && window->DockNode != nullptr && window->DockTabIsVisible;
      found.push_back(shown ? window->Size.x : 0);
    }
    return found;
  };
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    state().view.tabs.enter(static_cast<Workspace>(i));
    if (state().view.tabs.workspace() == Workspace::Walk) { state().view.tabs.bringToFront(Tab::Source); }
    driver_.settle();
    const std::vector<float> before = widths();
    press(ImGuiKey_F10);
    driver_.settle();
    const std::vector<float> after = widths();
    press(ImGuiKey_F10);
    driver_.settle();
    for (std::size_t panel = 0; panel < before.size(); ++panel) {
      EXPECT_GE(after[panel], 0.7F * before[panel]) << i << ", panel " << panel;
      EXPECT_NEAR(widths()[panel], before[panel], 3) << i << ": and gives it back, panel " << panel;
    }
  }
}

}  // namespace
}  // namespace haloscope::test
