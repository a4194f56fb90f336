#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "UiDriver.h"

/// Where tooltips are, and when they give way.
namespace haloscope::test {
namespace {

/// The tooltip that is on screen; null: none.
const ImGuiWindow* shownTooltip() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->WasActive && !window->Hidden) { return window; }
  }
  return nullptr;
}

class TooltipTest : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(TooltipTest, ATooltipLiesBesideItsItemAndGivesWayToKeys) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->MouseMove("//##rail/Memory");
    user->Yield(4);
    const ImGuiWindow* tip = shownTooltip();
    IM_CHECK(tip != nullptr);
    EXPECT_FALSE(tip->Rect().Overlaps(user->ItemInfo("//##rail/Memory").RectFull));
    const ImRect screen({0, 0}, ImGui::GetIO().DisplaySize);
    EXPECT_TRUE(screen.Contains(tip->Rect()));
    user->KeyPress(ImGuiKey_RightArrow);
    user->Yield(4);
    EXPECT_EQ(shownTooltip(), nullptr) << "the pointer only rests there";
    user->MouseMoveToPos({ImGui::GetIO().MousePos.x + 2, ImGui::GetIO().MousePos.y + 2});
    user->Yield(4);
    EXPECT_NE(shownTooltip(), nullptr);
  }));
}

TEST_F(TooltipTest, ATooltipOfALineLiesBesideTheSource) {
  state().view.tabs.bringToFront(Tab::Source);
  driver_.settle();
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef(user->WindowInfo((pathOf(state(), Tab::Source) + "/code").c_str()).ID);
    const int line = state().experiment->program->statements.front().range.line;
    user->MouseMove(("$$" + std::to_string(line) + "/line").c_str());
    user->Yield(4);
    const ImGuiWindow* tip = shownTooltip();
    IM_CHECK(tip != nullptr);
    EXPECT_FALSE(tip->Rect().Overlaps(windowOf(state(), Tab::Source)->Rect())) << "no other line is covered";
  }));
}

}  // namespace
}  // namespace haloscope::test
