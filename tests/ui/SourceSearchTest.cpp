#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstddef>
#include <string>

#include "UiDriver.h"

/// The search in the source that is read.
namespace haloscope::test {
namespace {

class SourceSearchTest : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(SourceSearchTest, ControlFSearchesTheSource) {
  const std::string& text = state().experiment->file.text;
  std::ptrdiff_t all = 0;
  for (std::size_t at = text.find("tx"); at != std::string::npos; at = text.find("tx", at + 2)) { ++all; }
  ASSERT_GT(all, 3);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    user->Yield(6);
    EXPECT_TRUE(state().search.open);
    EXPECT_TRUE(state().view.tabs.inFront(Tab::Source));
    user->KeyChars("TX");
    user->Yield(3);
    EXPECT_EQ(state().search.query, "TX");
    EXPECT_EQ(state().search.shown, 0);
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(3);
    EXPECT_EQ(state().search.shown, 1);
    user->KeyPress(ImGuiMod_Shift | ImGuiKey_Enter);
    user->Yield(3);
    user->KeyPress(ImGuiMod_Shift | ImGuiKey_Enter);
    user->Yield(3);
    EXPECT_EQ(state().search.shown, all - 1) << "before the first one comes the last";
    const ImGuiWindow* code = user->WindowInfo((pathOf(state(), Tab::Source) + "/code").c_str()).Window;
    IM_CHECK(code != nullptr);
    const float there = code->Scroll.y;
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(4);
    EXPECT_EQ(state().search.shown, 0);
    EXPECT_NE(code->Scroll.y, there) << "what was found is brought into view";
    EXPECT_EQ(state().cursor.position(), 0U) << "no key is meant for the window";
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(3);
  }));
  EXPECT_FALSE(state().search.open);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Source)) << "the source stays";
}

}  // namespace
}  // namespace haloscope::test
