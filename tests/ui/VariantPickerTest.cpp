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
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* person) {
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    person->KeyChars("27 registers");
    person->Yield(2);
    person->KeyPress(ImGuiKey_Enter);
    person->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/3d_27_register_tiled");
}

TEST_F(VariantPickerTest, AfterwardsNothingHasTheFocus) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* person) {
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    person->KeyChars("half 8.1");
    person->Yield(2);
    person->KeyPress(ImGuiKey_Enter);
    person->Yield(4);
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    IM_CHECK(context.NavWindow == nullptr);
    IM_CHECK(context.NavId == 0 || !context.NavCursorVisible);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/finite_difference_3");
}

TEST_F(VariantPickerTest, ArrowsGoFromRowToRowAcrossSections) {
  // stencil/tiled is the only one of 3D in section 8.3; the section's others follow it, then 8.4 begins.
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* person) {
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    for (int i = 0; i < 4; ++i) {
      person->KeyPress(ImGuiKey_DownArrow);
      person->Yield();
    }
    person->KeyPress(ImGuiKey_Enter);
    person->Yield(2);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/coarsened");
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* person) {
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    person->KeyPress(ImGuiKey_UpArrow);
    person->Yield();
    person->KeyPress(ImGuiKey_Enter);
    person->Yield(2);
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/2d_13_tiled");
}

TEST_F(VariantPickerTest, EscapeClosesItAndAWordThatNothingHasChoosesNothing) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* person) {
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    person->KeyChars("warp specialisation");
    person->Yield(2);
    person->KeyPress(ImGuiKey_Enter);
    person->Yield(2);
    person->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    person->Yield(2);
    IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    person->KeyPress(ImGuiKey_Escape);
    person->Yield(2);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
  }));
  EXPECT_EQ(driver_.state().choice.kernel, "stencil/tiled");
  EXPECT_TRUE(driver_.state().view.variantQuery.empty());  // a new search begins with nothing
}

}  // namespace
}  // namespace haloscope
