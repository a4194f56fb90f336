#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/Choices.h"
#include "actions/Origins.h"
#include "actions/PlaygroundActions.h"
#include "language/Glossary.h"
#include "state/Playground.h"
#include "tests/kernels/Sampled.h"
#include "ui/window/PanelList.h"
#include "ui/window/WorkspaceDock.h"

/// What a user does in the window, and the resulting state. The real kernels, the real worker, the real panels.
namespace haloscope::test {
namespace {

constexpr const char* kToolbar = "##toolbar";

class WindowActions : public ::testing::Test {
 protected:
  void press(ImGuiKeyChord keys, int times = 1) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys, times); }));
  }
  void type(const char* text) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyChars(text); }));
  }
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(WindowActions, TheHelpListsEveryGroupAndEveryWordOnce) {
  std::set<ui::KeyGroup> groups;
  std::set<std::string> words;
  std::optional<ui::KeyGroup> last;
  for (const ui::Shortcut& shortcut : ui::shortcuts()) {
    if (shortcut.group == last) { continue; }
    last = shortcut.group;
    EXPECT_TRUE(groups.insert(*last).second) << ui::name(*last) << " is listed in two places";
  }
  EXPECT_EQ(groups.size(), 7U) << "the help has room for these";
  for (const GlossaryTerm& term : glossary()) { EXPECT_TRUE(words.insert(term.word).second) << term.word; }
}

TEST_F(WindowActions, NoTwoShortcutsHaveTheSameKeys) {
  std::set<ImGuiKeyChord> keys;
  for (const ui::Shortcut& shortcut : ui::shortcuts()) {
    if (shortcut.when != nullptr) { continue; }
    for (const ImGuiKeyChord chord : {shortcut.keys, shortcut.otherKeys}) {
      if (chord != 0) { EXPECT_TRUE(keys.insert(chord).second) << shortcut.text; }
    }
  }
}

TEST_F(WindowActions, TheToolbarIsOneRowForEveryVariant) {
  const float height = ImGui::FindWindowByName(kToolbar)->Size.y;
  std::vector<std::string> ids;
  for (const KernelFile& file : state().catalogue.kernels()) { ids.push_back(file.id); }
  for (const std::string& id : everyNthOfEachFolder(ids, 4, "variants", [](const std::string& one) { return one; })) {
    state().choice = {id, {}, std::nullopt};
    driver_.settle();
    EXPECT_FLOAT_EQ(ImGui::FindWindowByName(kToolbar)->Size.y, height) << id;
  }
}

TEST_F(WindowActions, TheFirstExperimentIsShown) {
  ASSERT_NE(state().experiment, nullptr) << (state().problem ? state().problem->message : "");
  EXPECT_EQ(state().experiment->file.id, "stencil/tiled");
  EXPECT_FALSE(state().computing);
  EXPECT_FALSE(state().cursor.empty());
  EXPECT_FALSE(state().blockView.carriers.empty());
  EXPECT_FALSE(state().roofline.empty());
}

TEST_F(WindowActions, BracketsWalkTheCatalogue) {
  const std::string next = neighbourKernel(state().catalogue, "stencil/tiled", 1)->id;
  type("]");
  EXPECT_EQ(state().choice.kernel, next);
  type("[");
  EXPECT_EQ(state().choice.kernel, "stencil/tiled");
  press(ImGuiMod_Alt | ImGuiKey_RightArrow);
  EXPECT_EQ(state().choice.kernel, next);
}

TEST_F(WindowActions, ATileTakesATypedNumber) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemInputValue("##IN_TILE_DIM value", 6);
  }));
  EXPECT_EQ(state().choice.bindings.at("IN_TILE_DIM"), 6);
  driver_.settle();
  EXPECT_EQ(state().experiment->bindings.at("IN_TILE_DIM"), 6);
}

TEST_F(WindowActions, ATileSliderIsDragged) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemDragWithDelta("##IN_TILE_DIM", {-200, 0});
  }));
  EXPECT_EQ(state().choice.bindings.at("IN_TILE_DIM"), 3) << "the smallest of its range";
}

TEST_F(WindowActions, ControlArrowsTurnTheTile) {
  press(ImGuiMod_Ctrl | ImGuiKey_DownArrow, 2);
  EXPECT_EQ(state().choice.bindings.at("IN_TILE_DIM"), 6);
  press(ImGuiMod_Ctrl | ImGuiKey_UpArrow);
  EXPECT_EQ(state().choice.bindings.at("IN_TILE_DIM"), 7);
}

TEST_F(WindowActions, ArrowsStepAndPausePlaying) {
  state().playback.playing = true;
  press(ImGuiKey_RightArrow);
  EXPECT_FALSE(state().playback.playing);
  const std::size_t position = state().cursor.position();
  press(ImGuiKey_RightArrow, 3);
  EXPECT_EQ(state().cursor.position(), position + 3);
  press(ImGuiKey_LeftArrow, 2);
  EXPECT_EQ(state().cursor.position(), position + 1);
  press(ImGuiKey_Home);
  EXPECT_TRUE(state().cursor.atStart());
  press(ImGuiKey_End);
  EXPECT_EQ(state().cursor.position(), state().cursor.end());
}

TEST_F(WindowActions, ShiftArrowsGoByBarrier) {
  press(ImGuiKey_RightArrow);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  ASSERT_NE(state().cursor.current(), nullptr);
  EXPECT_EQ(state().cursor.current()->interval, 1U);
  press(ImGuiMod_Shift | ImGuiKey_LeftArrow, 2);
  EXPECT_TRUE(state().cursor.current() == nullptr || state().cursor.current()->interval == 0);
}

TEST_F(WindowActions, PageKeysGoByPlane) {
  state().choice.kernel = "stencil/register_tiled";
  driver_.settle();
  ASSERT_GT(state().cursor.recording().planes.size(), 2U);
  press(ImGuiKey_PageDown, 2);
  ASSERT_NE(state().cursor.current(), nullptr);
  EXPECT_EQ(state().cursor.current()->plane, 1U);
  press(ImGuiKey_PageUp);
  EXPECT_EQ(state().cursor.current()->plane, 0U);
}

TEST_F(WindowActions, SpacePlaysAndTimePasses) {
  press(ImGuiKey_Home);
  press(ImGuiKey_Space);
  EXPECT_TRUE(state().playback.playing);
  for (int i = 0; i < 30; ++i) { driver_.app().frame(1.0 / 30); }
  EXPECT_GE(state().cursor.position(), 7U);
  press(ImGuiKey_Space);
  EXPECT_FALSE(state().playback.playing);
}

TEST_F(WindowActions, ABlockIsPickedByItsPlace) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemClick("###block");
    user->SetRef("//$FOCUSED");
    user->ItemClick("corner");
  }));
  EXPECT_EQ(state().choice.block, (Dim3{0, 0, 0}));
  driver_.settle();
  EXPECT_EQ(state().experiment->block, (Dim3{0, 0, 0}));
}

TEST_F(WindowActions, ABlockIsClickedOnTheMap) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemClick("###block");
    user->SetRef("//$FOCUSED");
    const ImRect map = user->ItemInfo("map").RectFull;
    user->MouseMoveToPos({map.Min.x + 2, map.Max.y - 2});
    user->MouseClick();
  }));
  ASSERT_TRUE(state().choice.block);
  EXPECT_EQ(state().choice.block->x, 0U);
  EXPECT_EQ(state().choice.block->y, state().experiment->configuration.grid.y - 1);
}

TEST_F(WindowActions, BWalksThroughThePlaces) {
  using recording::BlockPlace;
  const Dim3 grid = state().experiment->configuration.grid;
  for (const BlockPlace place : {BlockPlace::Face, BlockPlace::Edge, BlockPlace::Corner, BlockPlace::Interior}) {
    press(ImGuiKey_B);
    ASSERT_TRUE(state().choice.block);
    EXPECT_EQ(recording::placeOf(*state().choice.block, grid), place);
  }
}

TEST_F(WindowActions, TSwitchesTheTheme) {
  EXPECT_FALSE(state().view.light);
  float brightness = 0;
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyPress(ImGuiKey_T);
    user->Yield(2);
    // Read here: the engine restores ImGui's style when the test stops acting.
    brightness = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg).x;
  }));
  EXPECT_TRUE(state().view.light);
  EXPECT_GT(brightness, 0.9F);
  press(ImGuiKey_T);
  EXPECT_FALSE(state().view.light);
}

TEST_F(WindowActions, TextGrowsAndShrinks) {
  const float before = ImGui::GetFontSize();
  press(ImGuiMod_Ctrl | ImGuiKey_Equal, 3);
  driver_.settle();
  EXPECT_GT(ImGui::GetStyle().FontSizeBase, before);
  press(ImGuiMod_Ctrl | ImGuiKey_0);
  EXPECT_FLOAT_EQ(state().view.scale, 1);
}

TEST_F(WindowActions, ATypedPlusWithCtrlEnlargesTheTextWhereverItIsOnTheKeyboard) {
  const auto typeWithCtrl = [&](const char* sign) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->KeyDown(ImGuiMod_Ctrl);
      user->KeyChars(sign);
      user->KeyUp(ImGuiMod_Ctrl);
    }));
  };
  const double speed = state().playback.speed;
  typeWithCtrl("+");
  EXPECT_FLOAT_EQ(state().view.scale, 1.1F);
  typeWithCtrl("-");
  EXPECT_FLOAT_EQ(state().view.scale, 1.0F);
  EXPECT_EQ(state().playback.speed, speed) << "without Ctrl the signs change the speed";
}

TEST(WorkspaceDock, LargeTextJoinsPlacesThatWouldHaveTooFewLines) {
  constexpr ImVec2 kSize{1280, 680};
  EXPECT_EQ(ui::dividedPlaces(Workspace::Learn, kSize, 16), layoutOf(Workspace::Learn).splits.size());
  EXPECT_LT(ui::dividedPlaces(Workspace::Learn, kSize, 32), layoutOf(Workspace::Learn).splits.size());
}

TEST_F(WindowActions, ADrawerLiesOverTheStageAndOneIsOpenAtATime) {
  const auto room = [&] { return windowOf(state(), Tab::Block)->Rect(); };
  const ImRect before = room();
  press(ImGuiKey_A);
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Addresses));
  EXPECT_TRUE(room().Contains(windowOf(state(), Tab::Addresses)->Rect().GetCenter()));
  EXPECT_EQ(room().GetWidth(), before.GetWidth()) << "it takes no room";
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->ItemClick("##rail/Memory"); }));
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Memory));
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Addresses));
  press(ImGuiKey_Escape);
  driver_.settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Memory));
  EXPECT_EQ(state().view.tabs.openDrawer(), std::nullopt);
}

TEST_F(WindowActions, TheSourceComesBesideTheStage) {
  const float before = windowOf(state(), Tab::Block)->Size.x;
  press(ImGuiKey_F4);
  driver_.settle();
  EXPECT_TRUE(windowOf(state(), Tab::Source)->DockIsActive);
  EXPECT_LT(windowOf(state(), Tab::Block)->Size.x, 0.8F * before);
  press(ImGuiKey_F4);
  driver_.settle();
  EXPECT_EQ(windowOf(state(), Tab::Block)->Size.x, before);
}

TEST_F(WindowActions, EachWorkspaceShowsItsPanelsAndNoOthers) {
  state().cursor.goTo(5);
  const experiment::Choice choice = state().choice;
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    type(std::to_string(i + 1).c_str());
    driver_.settle();
    const auto workspace = static_cast<Workspace>(i);
    EXPECT_EQ(state().view.tabs.workspace(), workspace);
    std::set<Tab> shown;
    for (const ui::Panel* panel : ui::panels()) {
      for (std::size_t of = 0; of < kWorkspaces; ++of) {
        const ImGuiWindow* window =
            ImGui::FindWindowByName(ui::windowName(static_cast<Workspace>(of), panel->tab).c_str());
        if (window == nullptr || !window->WasActive || !window->DockTabIsVisible) { continue; }
        EXPECT_EQ(of, i) << panel->title;
        shown.insert(panel->tab);
      }
    }
    EXPECT_EQ(shown, state().view.tabs.onScreen());
    EXPECT_FALSE(shown.empty());
    EXPECT_EQ(state().comparison.on, workspace == Workspace::Compare);
    if (workspace == Workspace::Play) {
      EXPECT_NE(playedProblem(state()), nullptr) << "which has a kernel of its own";
    } else {
      EXPECT_EQ(state().choice.kernel, choice.kernel);
      EXPECT_EQ(state().cursor.position(), 5U);
    }
  }
  type("2");
  driver_.settle();
  EXPECT_EQ(state().choice.kernel, choice.kernel) << "which the playground has left alone";
  EXPECT_EQ(state().cursor.position(), 5U);
}

TEST_F(WindowActions, EveryPanelIsInAWorkspace) {
  for (const ui::Panel* panel : ui::panels()) {
    bool found = false;
    for (std::size_t i = 0; i < kWorkspaces; ++i) { found |= rowOf(static_cast<Workspace>(i), panel->tab) != nullptr; }
    EXPECT_TRUE(found) << panel->title;
  }
}

TEST_F(WindowActions, ATabThatWasInFrontIsThereAgainWhenItsWorkspaceIs) {
  press(ImGuiKey_A);
  driver_.settle();
  ASSERT_TRUE(windowOf(state(), Tab::Addresses)->WasActive);
  type("3");
  driver_.settle();
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Tune);
  press(ImGuiKey_P);
  driver_.settle();
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Figures);
  press(ImGuiKey_P);
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Tune) << "the one from before";
  type("2");
  driver_.settle();
  EXPECT_TRUE(windowOf(state(), Tab::Addresses)->WasActive);
}

TEST_F(WindowActions, ATabOfTheToolbarEntersItsWorkspace) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemClick("###Figures");
  }));
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Figures);
}

TEST_F(WindowActions, ShiftFBringsTheFieldToTheFront) {
  press(ImGuiMod_Shift | ImGuiKey_F);
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Field));
  EXPECT_TRUE(windowOf(state(), Tab::Field)->DockTabIsVisible);
  press(ImGuiMod_Shift | ImGuiKey_F);
  driver_.settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Field));
  EXPECT_TRUE(windowOf(state(), Tab::Block)->DockTabIsVisible);
}

TEST_F(WindowActions, ABringsTheAddressesToTheFront) {
  for (std::size_t position = 0; position <= state().cursor.end(); ++position) {  // every step's accesses can be drawn
    state().cursor.goTo(position);
    state().view.tabs.bringToFront(Tab::Addresses);
    driver_.settle();
  }
  EXPECT_TRUE(windowOf(state(), Tab::Addresses)->WasActive);
  press(ImGuiKey_A);
  driver_.settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Addresses));
  EXPECT_FALSE(windowOf(state(), Tab::Addresses)->WasActive);
}

TEST_F(WindowActions, WShowsWhereAnOutputCameFrom) {
  state().cursor.goTo(state().cursor.end());
  press(ImGuiKey_W);
  for (int i = 0; i < 100 && !(state().origins.trace && state().origins.experiment == state().experiment); ++i) {
    driver_.settle();
  }
  EXPECT_TRUE(windowOf(state(), Tab::Origins)->WasActive);
  ASSERT_TRUE(state().origins.trace);
  EXPECT_EQ(state().origins.element, state().origins.trace->trace.element);
  EXPECT_EQ(state().origins.trace->trace.thread, state().selection.thread);
  const auto inputs = std::ranges::count_if(
      state().origins.trace->trace.operands,
      [](const provenance::Operand& operand) { return operand.kind == provenance::Operand::Kind::Element; });
  EXPECT_EQ(inputs, 7) << "the seven points of the sweep";
  press(ImGuiKey_W);
  driver_.settle();
  EXPECT_FALSE(state().view.tabs.inFront(Tab::Origins));
}

TEST_F(WindowActions, ArrowsWalkTheOperandsToTheStepsThatLoadedThem) {
  state().playback.playing = false;
  press(ImGuiKey_DownArrow);
  EXPECT_FALSE(state().origins.operand) << "only where they are shown";
  press(ImGuiKey_W);
  driver_.settle();
  const experiment::TracedOutput* traced = shownOrigins(state());
  ASSERT_NE(traced, nullptr);
  const std::uint32_t thread = state().selection.thread;
  const std::int64_t output = traced->trace.element;
  const std::vector<OriginRow> rows = originRows(*traced);
  ASSERT_EQ(rows.size(), 7U) << "a line for each product";
  const auto expectChosen = [&](std::size_t row) {
    driver_.settle();
    ASSERT_EQ(shownOrigins(state())->trace.element, output) << "the output stays while the cursor moves";
    EXPECT_EQ(state().selection.thread, thread);
    ASSERT_TRUE(state().origins.operand);
    EXPECT_EQ(*state().origins.operand, *rows[row].operand);
    EXPECT_EQ(state().cursor.position(), traced->trace.operands[*rows[row].operand].loadedAt + 1);
  };
  press(ImGuiKey_DownArrow);
  expectChosen(0);
  press(ImGuiKey_DownArrow, 2);
  expectChosen(2);
  press(ImGuiKey_UpArrow);
  expectChosen(1);
  press(ImGuiKey_DownArrow, 20);
  expectChosen(6);
}

TEST_F(WindowActions, AClickOnAnOperandGoesToTheStepThatLoadedIt) {
  state().playback.playing = false;
  state().cursor.goTo(state().cursor.end());
  press(ImGuiKey_W);
  driver_.settle();
  const experiment::TracedOutput* traced = shownOrigins(state());
  ASSERT_NE(traced, nullptr);
  const std::uint32_t operand = *originRows(*traced)[1].operand;
  ASSERT_TRUE(driver_.act(
      [&](ImGuiTestContext* user) { user->ItemClick((pathOf(state(), Tab::Origins) + "/**/$$1/row").c_str()); }));
  EXPECT_EQ(state().origins.operand, operand);
  EXPECT_EQ(state().cursor.position(), traced->trace.operands[operand].loadedAt + 1);
}

TEST_F(WindowActions, OriginsFollowAnotherOrderOfWarps) {
  state().choice.order = simt::WarpOrder::Reversed;
  driver_.settle();
  press(ImGuiKey_W);
  driver_.settle();
  const experiment::TracedOutput* traced = shownOrigins(state());
  ASSERT_NE(traced, nullptr);
  EXPECT_EQ(traced->trace.thread, state().selection.thread);
  EXPECT_EQ(traced->sum.terms.size(), 7U);
}

TEST_F(WindowActions, AClickOnATabIsNoticed) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImGuiWindow* field = windowOf(state(), Tab::Field);
    ASSERT_NE(field->DockNode, nullptr);
    user->ItemClick(field->TabId);
  }));
  driver_.settle();
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Field));
}

TEST_F(WindowActions, HelpOpensAndCloses) {
  type("?");
  EXPECT_TRUE(state().view.showHelp);
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state().view.showHelp);
  press(ImGuiKey_F1);
  EXPECT_TRUE(state().view.showHelp);
}

TEST_F(WindowActions, ATextFieldKeepsItsKeys) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemInput("##IN_TILE_DIM value");
    user->KeyPress(ImGuiKey_T);
    user->KeyPress(ImGuiKey_LeftArrow);
    user->KeyPress(ImGuiKey_Space);
    user->KeyPress(ImGuiKey_Escape);
  }));
  EXPECT_FALSE(state().view.light);
  EXPECT_TRUE(state().cursor.atStart());
  EXPECT_FALSE(state().playback.playing);
}

TEST_F(WindowActions, AnOpenListKeepsItsArrows) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->SetRef(kToolbar);
    user->ItemClick("##variant");
    user->KeyPress(ImGuiKey_RightArrow);
    user->KeyPress(ImGuiKey_Escape);
  }));
  EXPECT_TRUE(state().cursor.atStart());
}

TEST_F(WindowActions, TabReachesAWidgetAndEnterUsesIt) {
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) {
    user->WindowFocus(kToolbar);
    user->NavMoveTo("##toolbar/?");
    user->KeyPress(ImGuiKey_Enter);
  }));
  EXPECT_TRUE(state().view.showHelp);
}

TEST_F(WindowActions, WhatCannotBeMadeLeavesTheLastGoodPicture) {
  const auto before = state().experiment;
  ASSERT_NE(before, nullptr);
  state().choice.bindings["IN_TILE_DIM"] = 1000;
  driver_.settle();
  ASSERT_TRUE(state().problem);
  EXPECT_NE(state().problem->message.find("IN_TILE_DIM"), std::string::npos) << state().problem->message;
  EXPECT_EQ(state().experiment, before);
  ASSERT_TRUE(driver_.act([](ImGuiTestContext* user) { user->ItemClick("##status/Dismiss"); }));
  EXPECT_FALSE(state().problem);
}

TEST_F(WindowActions, ANewTileKeepsThePlaceInTheKernel) {
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  ASSERT_NE(state().cursor.current(), nullptr);
  const auto before = *state().cursor.current();
  const SourceRange range = state().experiment->program->statements[before.statement].range;
  state().playback.playing = true;
  state().playback.speed = 0.001;  // waiting for the workers takes no step
  state().choice.bindings["IN_TILE_DIM"] = 6;
  driver_.settle();
  ASSERT_NE(state().cursor.current(), nullptr);
  EXPECT_EQ(state().cursor.current()->interval, before.interval);
  EXPECT_TRUE(state().playback.playing);
  state().playback.playing = false;
  EXPECT_EQ(state().experiment->program->statements[state().cursor.current()->statement].range.line, range.line);
}

TEST_F(WindowActions, APanelIsTornOffByItsHeadingAndComesBackOnReset) {
  state().view.tabs.bringToFront(Tab::Source);
  driver_.settle();
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    const ImGuiWindow* source = windowOf(state(), Tab::Source);
    user->MouseMoveToPos({source->Pos.x + source->Size.x / 3, source->Pos.y + 6});
    user->MouseDragWithDelta({300, 200});
  }));
  EXPECT_FALSE(windowOf(state(), Tab::Source)->DockNode->IsDockSpace());
  press(ImGuiMod_Shift | ImGuiKey_L);
  driver_.settle();
  EXPECT_TRUE(windowOf(state(), Tab::Source)->DockIsActive);
}

}  // namespace
}  // namespace haloscope::test
