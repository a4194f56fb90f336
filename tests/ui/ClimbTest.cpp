#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "UiDriver.h"
#include "actions/ClimbRows.h"
#include "ui/window/PanelList.h"

/// The tab of the climb, on the climb of the 2D 5-point star.
namespace haloscope::test {
namespace {

class ClimbTest : public ::testing::Test {
 protected:
  ClimbTest() {
    state().choice = {.kernel = "stencil/2d_5_tiled", .bindings = {}, .block = {}};
    state().view.tabs.bringToFront(Tab::Climb);
    driver_.settle();
  }

  AppState& state() { return driver_.state(); }
  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* person) { person->KeyPress(keys); }));
    driver_.settle();
  }
  /// The row of a variant, as the test engine names it.
  static std::string rung(std::string id) { return "**/" + id.replace(id.find('/'), 1, "\\/") + "/rung"; }
  /// All text of the window.
  std::string shown() {
    std::string text;
    EXPECT_TRUE(driver_.act([&](ImGuiTestContext* person) {
      ImGui::LogToBuffer();
      ImGui::GetCurrentContext()->LogWindow = nullptr;  // the log covers the whole frame, not one window
      person->Yield();
      text = ImGui::GetCurrentContext()->LogBuffer.c_str();
      ImGui::LogFinish();
    }));
    return text;
  }

  UiDriver driver_;
};

TEST_F(ClimbTest, EveryRungIsExecutedAndTheChosenOneComparedWithTheOneBelow) {
  const ClimbRows rows = climbRows(state());
  EXPECT_EQ(rows.name, "2D 5-point star");
  ASSERT_GE(rows.rows.size(), 3U);
  EXPECT_FALSE(state().climb.counting);
  for (const ClimbRow& row : rows.rows) {
    EXPECT_FALSE(row.counting) << row.id;
    EXPECT_EQ(row.problem, "") << row.id;
    if (row.below) { EXPECT_TRUE(row.moved.has_value()) << row.id; }
  }
  const auto difference = state().climb.difference;
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->below.id, "stencil/2d_5_basic");
  EXPECT_EQ(difference->above.id, "stencil/2d_5_tiled");
  EXPECT_TRUE(
      std::ranges::any_of(difference->pairs, [](const LinePair& pair) { return pair.kind == LinePair::Kind::Apart; }));
}

TEST_F(ClimbTest, ArrowsGoFromRungToRungAndEnterStepsThroughOne) {
  press(ImGuiMod_Shift | ImGuiKey_UpArrow);
  EXPECT_EQ(state().choice.kernel, "stencil/2d_5_basic");
  ASSERT_NE(state().climb.difference, nullptr);
  EXPECT_TRUE(state().climb.difference->alone());
  press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  EXPECT_EQ(state().choice.kernel, "beyond/2d_5_rows");
  EXPECT_EQ(state().experiment->file.id, "beyond/2d_5_rows") << "it is the one that is stepped through";
  EXPECT_EQ(state().climb.difference->below.id, "stencil/2d_5_basic");
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(state().cursor.position(), 1U);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Climb));
  press(ImGuiKey_Enter);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Block));
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Climb));
  EXPECT_EQ(state().choice.kernel, "beyond/2d_5_rows");
}

TEST_F(ClimbTest, AClickChoosesARungAndADoubleClickStepsThroughIt) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Climb).c_str());
    person->ItemClick(rung("beyond/2d_5_rows").c_str());
  }));
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, "beyond/2d_5_rows");
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Climb));
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Climb).c_str());
    person->ItemDoubleClick(rung("stencil/2d_5_basic").c_str());
  }));
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, "stencil/2d_5_basic");
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Block));
}

TEST_F(ClimbTest, AKeyBringsItToTheFrontAndBack) {
  press(ImGuiKey_K);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Block));
  ASSERT_NE(windowOf(state(), Tab::Block), nullptr);
  EXPECT_TRUE(windowOf(state(), Tab::Block)->Active);
  press(ImGuiKey_K);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Climb));
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Compare) << "which has room for two sources";
}

TEST_F(ClimbTest, HoveringARungTellsItsNumbersAndWhereTheyAreFrom) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Climb).c_str());
    person->MouseMove(rung("stencil/2d_5_tiled").c_str());
    person->SleepNoSkip(1, 0.1F);
  }));
  const std::string text = shown();
  EXPECT_NE(text.find("executed by the emulator"), std::string::npos) << text;
  EXPECT_NE(text.find("not recorded"), std::string::npos) << text;
}

TEST_F(ClimbTest, AVariantOnNoClimbSaysSo) {
  state().choice = {.kernel = "stencil/finite_difference_3", .bindings = {}, .block = {}};
  driver_.settle();
  EXPECT_NE(shown().find("is part of no climb"), std::string::npos);
  EXPECT_EQ(state().climb.difference, nullptr);
  press(ImGuiMod_Shift | ImGuiKey_DownArrow);
  EXPECT_EQ(state().choice.kernel, "stencil/finite_difference_3");
}

TEST_F(ClimbTest, AVariantOnNoClimbOffersAll) {
  state().choice = {.kernel = "stencil/finite_difference_3", .bindings = {}, .block = {}};
  driver_.settle();
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* person) {
    person->SetRef(pathOf(state(), Tab::Climb).c_str());
    person->ItemClick("###convolution\\/basic");
  }));
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, "convolution/basic");
  EXPECT_FALSE(climbRows(state()).rows.empty());
}

TEST_F(ClimbTest, IsDrawnInEverySizeAndTheme) {
  measuring::RecordedLimit limit;
  limit.kind = "2D";
  limit.id = "stencil/2d_5_tiled";
  limit.gpu = "NVIDIA H200";
  limit.fraction = 1.4;  // several steps a sweep
  state().climb.recorded = {limit};
  for (const bool light : {false, true}) {
    for (const float scale : {1.0F, 1.5F, 2.0F}) {
      state().view.light = light;
      state().view.scale = scale;
      driver_.settle();
      state().view.tabs.bringToFront(Tab::Climb);  // large text has a layout of its own
      driver_.settle();
      EXPECT_TRUE(driver_.act([&](ImGuiTestContext* person) {
        person->SetRef(pathOf(state(), Tab::Climb).c_str());
        IM_CHECK(person->ItemExists(rung("stencil/2d_5_tiled").c_str()));
      })) << light
          << " " << scale;
    }
  }
}

}  // namespace
}  // namespace haloscope::test
