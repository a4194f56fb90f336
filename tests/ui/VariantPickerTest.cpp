#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "UiDriver.h"

namespace haloscope {
namespace {

class VariantPickerTest : public ::testing::Test {
 protected:
  test::UiDriver driver_;
};

TEST_F(VariantPickerTest, SearchesAndChoosesByKeys) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    user->KeyChars("27 cannot stay");
    user->Yield(2);
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/3d_27_register_tiled");
}

TEST_F(VariantPickerTest, AfterwardsNothingHasTheFocus) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    user->KeyChars("half 8.1");
    user->Yield(2);
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(4);
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    IM_CHECK(context.NavWindow == nullptr);
    IM_CHECK(context.NavId == 0 || !context.NavCursorVisible);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/finite_difference_3");
}

TEST_F(VariantPickerTest, ArrowsGoFromRowToRowAcrossSections) {
  // stencil/tiled is the only one of 3D in section 8.3; the section's others follow it, then 8.4 begins.
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    for (int i = 0; i < 4; ++i) {
      user->KeyPress(ImGuiKey_DownArrow);
      user->Yield();
    }
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(2);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/coarsened");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    user->KeyPress(ImGuiKey_UpArrow);
    user->Yield();
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(2);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/2d_13_tiled");
}

TEST_F(VariantPickerTest, EscapeClosesItAndAWordThatNothingHasChoosesNothing) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    user->KeyChars("warp specialisation");
    user->Yield(2);
    user->KeyPress(ImGuiKey_Enter);
    user->Yield(2);
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    user->Yield(2);
    IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/tiled");
  EXPECT_TRUE(driver_.state().view.variantQuery.empty());  // a new search begins with nothing
}

}  // namespace
}  // namespace haloscope
