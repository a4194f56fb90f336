#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "ui/scene/JoinedLegend.h"
#include "ui/window/PanelList.h"

/// Variants side by side, as the user opens them, steps through them and goes back.
namespace haloscope::test {
namespace {

constexpr std::size_t kTiled = 0, kBasic = 1, kCoarsened = 2;

class Compare : public ::testing::Test {
 protected:
  AppState& state() { return driver_.state(); }
  Comparison& comparison() { return state().comparison; }
  const experiment::Experiment& experiment(std::size_t variant) {
    return *comparison().variants[variant].block.experiment;
  }
  std::size_t position(std::size_t variant) { return comparison().variants[variant].cursor.position(); }

  void press(ImGuiKeyChord keys, int times = 1) {
    ASSERT_TRUE(driver_.act([=](ImGuiTestContext* user) { user->KeyPress(keys, times); }));
  }

  /// The tiled sweep next to the basic and the coarsened one.
  void compareThree() {
    toggleCompared(state(), "stencil/basic");
    toggleCompared(state(), "stencil/coarsened");
    press(ImGuiKey_C);
    driver_.settle();
    ASSERT_EQ(comparison().variants.size(), 3U);
    for (const ComparedVariant& variant : comparison().variants) {
      ASSERT_TRUE(variant.shown()) << variant.block.problem;
    }
  }

  std::optional<ImRect> place(Tab tab) {
    const ImGuiWindow* window = windowOf(state(), tab);
    if (window == nullptr || !window->WasActive || !window->DockTabIsVisible) { return std::nullopt; }
    return window->Rect();
  }

  UiDriver driver_;
};

TEST_F(Compare, EachShowsTheBlockThatComputesTheCell) {
  compareThree();
  ASSERT_TRUE(comparison().cell);
  EXPECT_EQ(comparison().focus, kTiled);
  EXPECT_EQ(comparison().variants[kTiled].choice.kernel, "stencil/tiled");
  EXPECT_EQ(comparison().variants[kTiled].block.experiment, state().experiment);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(experiment(i).writes.writer(comparison().cell->element)) << i;
    ASSERT_NE(comparison().variants[i].block.trace, nullptr) << i;
    EXPECT_EQ(comparison().variants[i].block.trace->trace.element, comparison().cell->element) << i;
  }
}

TEST_F(Compare, WithoutAnyTheListIsBesideThePaneAndATickAddsOne) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_C);
    user->Yield(2);
    EXPECT_TRUE(comparison().on);
    EXPECT_EQ(comparison().variants.size(), 1U);
    user->SetRef(user->WindowInfo("//###Compare Compare/compared variants").ID);
    user->ItemClick("stencil\\/register_tiled##stencil\\/register_tiled");
  }));
  driver_.settle();
  ASSERT_EQ(comparison().variants.size(), 2U);
  EXPECT_EQ(comparison().variants[1].choice.kernel, "stencil/register_tiled");
  EXPECT_TRUE(comparison().variants[1].shown());
}

TEST_F(Compare, TheListStaysAfterTheFirstTick) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_C);
    user->Yield(2);
    user->SetRef(user->WindowInfo("//###Compare Compare/compared variants").ID);
    user->ItemClick("stencil\\/basic##stencil\\/basic");
    user->Yield(2);
    user->SetRef("//$FOCUSED");
    user->ItemClick("stencil\\/coarsened##stencil\\/coarsened");
    user->ItemClick("stencil\\/register_tiled##stencil\\/register_tiled");
  }));
  driver_.settle();
  EXPECT_EQ(comparison().variants.size(), 4U);
}

TEST_F(Compare, FourScenesFillTheirPanes) {
  compareThree();
  toggleCompared(state(), "stencil/register_tiled");
  driver_.settle();
  ASSERT_EQ(comparison().variants.size(), 4U);
  const std::string panes = pathOf(state(), Tab::Compare);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImRect panel = user->WindowInfo(panes.c_str()).Window->Rect();
    for (const char* scene : {"/$$0/scene", "/$$1/scene", "/$$2/scene", "/$$3/scene"}) {
      const ImRect rect = user->ItemInfo((panes + scene).c_str()).RectFull;
      EXPECT_GT(rect.GetWidth(), 0.4F * panel.GetWidth());
      EXPECT_GT(rect.GetHeight(), 0.31F * panel.GetHeight()) << "half of what is beside time and legend";
    }
  }));
}

TEST_F(Compare, WhatLooksTheSameIsOneEntryOfTheLegend) {
  using render::SceneColour;
  ui::Theme theme(ui::Theme::systemFonts());
  theme.apply(false, 1);
  const std::vector<render::SceneLegendEntry> entries = {{.colour = SceneColour::Output, .word = "output / next plane"},
                                                         {.colour = SceneColour::Interior, .word = "current plane"},
                                                         {.colour = SceneColour::Interior, .word = "interior"},
                                                         {.colour = SceneColour::Output, .word = "output"},
                                                         {.colour = SceneColour::Halo, .word = "halo"}};
  const auto joined = ui::joinedLegend(theme, entries);
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].word, "output / next plane");
  EXPECT_EQ(joined[1].word, "current plane / interior");
  EXPECT_EQ(joined[2].word, "halo");
}

TEST_F(Compare, ShiftArrowsTakeAllToTheNextInterval) {
  compareThree();
  press(ImGuiKey_Home);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_EQ(position(i), 1U) << i; }
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  EXPECT_EQ(comparison().variants[kTiled].cursor.current()->interval, 1U);
  EXPECT_EQ(comparison().variants[kCoarsened].cursor.current()->interval, 1U);
  EXPECT_EQ(position(kBasic), comparison().variants[kBasic].cursor.end()) << "it has one interval";
  EXPECT_TRUE(comparison().time.placeOf(kBasic).finished);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow, 3);
  EXPECT_EQ(comparison().variants[kCoarsened].cursor.current()->interval, 4U) << "others go on";
  EXPECT_EQ(state().cursor.position(), state().cursor.end());
  press(ImGuiMod_Shift | ImGuiKey_LeftArrow, 3);
  EXPECT_EQ(state().cursor.current()->interval, 1U);
  EXPECT_EQ(comparison().variants[kCoarsened].cursor.current()->interval, 1U);
}

TEST_F(Compare, ArrowsStepTheOneInFocusAndTheOthersFollow) {
  compareThree();
  press(ImGuiKey_Home);
  press(ImGuiKey_RightArrow, 4);
  EXPECT_EQ(state().cursor.position(), 4U);
  EXPECT_EQ(position(kTiled), 4U);
  EXPECT_GT(position(kCoarsened), 1U);
  EXPECT_EQ(comparison().variants[kCoarsened].cursor.current()->interval, 0U);
  press(ImGuiKey_End);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_EQ(position(i), comparison().variants[i].cursor.end()) << i; }
}

TEST_F(Compare, PlayingGoesOnUntilAllHaveFinished) {
  compareThree();
  press(ImGuiKey_Home);
  state().playback.speed = 8;
  press(ImGuiKey_Space);
  for (int i = 0; i < 600 && position(kCoarsened) < comparison().variants[kCoarsened].cursor.end(); ++i) {
    driver_.app().frame(1.0 / 30);
  }
  EXPECT_EQ(position(kCoarsened), comparison().variants[kCoarsened].cursor.end());
  EXPECT_EQ(state().cursor.position(), state().cursor.end());
}

TEST_F(Compare, TheNextOneComesIntoFocusAtItsPosition) {
  compareThree();
  press(ImGuiKey_Home);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow, 4);
  const std::array before = {position(kTiled), position(kBasic), position(kCoarsened)};
  press(ImGuiKey_V, 2);
  driver_.settle();
  EXPECT_EQ(comparison().focus, kCoarsened);
  EXPECT_EQ(state().choice.kernel, "stencil/coarsened");
  EXPECT_EQ(state().experiment->file.id, "stencil/coarsened");
  EXPECT_EQ(state().experiment, comparison().variants[kCoarsened].block.experiment);
  EXPECT_EQ(state().cursor.position(), before[kCoarsened]);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_EQ(position(i), before[i]) << i; }
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(position(kCoarsened), before[kCoarsened] + 1);
}

TEST_F(Compare, LinedUpByTheCellAllWriteItTogether) {
  compareThree();
  press(ImGuiKey_I);
  press(ImGuiKey_Home);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  const auto written = [&](std::size_t i) {
    const ComparedVariant& variant = comparison().variants[i];
    return variant.cursor.output(experiment(i).footprint.output, comparison().cell->element) != nullptr;
  };
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_FALSE(written(i)) << i; }
  state().cursor.goTo(comparison().variants[kTiled].block.trace->trace.step + 1);
  driver_.settle();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(position(i), comparison().variants[i].block.trace->trace.step + 1) << i;
    EXPECT_TRUE(written(i)) << i;
  }
}

TEST_F(Compare, ATileIsCarriedOverToThoseThatHaveIt) {
  compareThree();
  state().choice = withValue(*chosenFile(state()), state().choice, "IN_TILE_DIM", 6);
  driver_.settle();
  EXPECT_EQ(experiment(kTiled).bindings.at("IN_TILE_DIM"), 6);
  EXPECT_EQ(experiment(kCoarsened).bindings.at("IN_TILE_DIM"), 6);
  EXPECT_TRUE(experiment(kCoarsened).writes.writer(comparison().cell->element));
}

TEST_F(Compare, AnotherVariantInTheToolbarTakesThePlaceOfTheOneInFocus) {
  compareThree();
  state().choice = withKernel(state(), state().catalogue.at("stencil/register_tiled"));
  driver_.settle();
  ASSERT_EQ(comparison().variants.size(), 3U);
  EXPECT_EQ(experiment(kTiled).file.id, "stencil/register_tiled");
  EXPECT_EQ(experiment(kBasic).file.id, "stencil/basic");
}

TEST_F(Compare, OneWithoutTheCellSaysSoAndTheOthersStay) {
  compareThree();
  toggleCompared(state(), "convolution/basic");
  driver_.settle();
  ASSERT_EQ(comparison().variants.size(), 4U);
  EXPECT_NE(comparison().variants[3].block.problem, "");
  EXPECT_TRUE(comparison().variants[kBasic].shown());
  press(ImGuiMod_Shift | ImGuiKey_RightArrow, 2);
  EXPECT_GT(position(kCoarsened), 1U);
}

TEST_F(Compare, EachSceneAnswersThePointer) {
  compareThree();
  press(ImGuiKey_End);
  for (const char* pane : {"/$$0/scene", "/$$1/scene", "/$$2/scene"}) {
    const std::string scene = pathOf(state(), Tab::Compare) + pane;
    bool answered = false;
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      const ImRect rect = user->ItemInfo(scene.c_str()).RectFull;
      // Some cell lies on the way across the middle.
      for (float share = 0.3F; share < 0.8F && !answered; share += 0.05F) {
        user->MouseMoveToPos({rect.Min.x + share * rect.GetWidth(), rect.Min.y + 0.5F * rect.GetHeight()});
        user->Yield(2);
        answered = state().selection.hoveredPoint.has_value();
      }
    })) << scene;
    EXPECT_TRUE(answered) << scene;
  }
}

TEST_F(Compare, AClickOnAHeadBringsItIntoFocus) {
  compareThree();
  ASSERT_TRUE(driver_.act(
      [&](ImGuiTestContext* user) { user->ItemClick((pathOf(state(), Tab::Compare) + "/$$1/head").c_str()); }));
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, "stencil/basic");
}

TEST_F(Compare, AClickOnTheCommonTimeGoesThere) {
  compareThree();
  press(ImGuiKey_Home);
  ASSERT_TRUE(driver_.act(
      [&](ImGuiTestContext* user) { user->ItemClick((pathOf(state(), Tab::Compare) + "/lockstep").c_str()); }));
  driver_.settle();
  const std::size_t half = comparison().time.end() / 2;
  EXPECT_NEAR(static_cast<double>(comparison().time.position()), static_cast<double>(half), 2);
  EXPECT_GT(position(kCoarsened), 1U);
}

TEST_F(Compare, LeavingBringsBackWhatWasThereBefore) {
  press(ImGuiKey_RightArrow, 5);
  state().view.camera.yaw = 1.1F;
  driver_.settle();
  const experiment::Choice choice = state().choice;
  const std::size_t before = state().cursor.position();
  const std::uint32_t thread = state().selection.thread;
  constexpr std::array kTabs = {Tab::Block, Tab::Timeline};
  std::vector<std::optional<ImRect>> places;
  for (const Tab tab : kTabs) { places.push_back(place(tab)); }
  compareThree();
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Compare);
  press(ImGuiKey_V);
  driver_.settle();
  state().view.camera.yaw = 0.2F;
  press(ImGuiKey_End);
  press(ImGuiKey_C);
  driver_.settle();
  EXPECT_FALSE(comparison().on);
  EXPECT_EQ(state().choice, choice);
  EXPECT_EQ(state().experiment->file.id, choice.kernel);
  EXPECT_EQ(state().cursor.position(), before);
  EXPECT_EQ(state().selection.thread, thread);
  EXPECT_EQ(state().selection.output, std::nullopt);
  EXPECT_EQ(state().view.camera.yaw, 1.1F);
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Walk);
  for (std::size_t i = 0; i < kTabs.size(); ++i) {
    const auto now = place(kTabs[i]);
    ASSERT_TRUE(now && places[i]) << ui::panelOf(kTabs[i]).title;
    const auto sides = [](const ImRect& rect) { return rect.ToVec4(); };
    EXPECT_EQ(sides(*now).x, sides(*places[i]).x) << ui::panelOf(kTabs[i]).title;
    EXPECT_EQ(sides(*now).y, sides(*places[i]).y) << ui::panelOf(kTabs[i]).title;
    EXPECT_EQ(sides(*now).z, sides(*places[i]).z) << ui::panelOf(kTabs[i]).title;
    EXPECT_EQ(sides(*now).w, sides(*places[i]).w) << ui::panelOf(kTabs[i]).title;
  }
  press(ImGuiKey_C);
  driver_.settle();
  EXPECT_EQ(comparison().variants.size(), 3U) << "the same variants as the last time";
  press(ImGuiKey_Escape);
  EXPECT_FALSE(comparison().on);
}

}  // namespace
}  // namespace haloscope::test
