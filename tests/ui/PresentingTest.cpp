#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/ViewActions.h"
#include "language/Language.h"
#include "state/Session.h"

// The list of scenes and presentation mode, by keys and pointer.

namespace haloscope::test {
namespace {

class PresentingTest : public ::testing::Test {
 protected:
  ~PresentingTest() override { setLanguage(Language::English); }

  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys); }));
    driver_.settle();
  }
  AppState& state() { return driver_.state(); }
  Session& session() { return state().session; }
  /// Three scenes at steps 3, 6 and 9 of the same kernel.
  void record() {
    for (const std::size_t step : {3U, 6U, 9U}) {
      state().cursor.goTo(step);
      press(ImGuiKey_F9);
      session().scenes[session().current].title = "step " + std::to_string(step);
    }
    ASSERT_EQ(session().scenes.size(), 3U);
  }
  [[nodiscard]] std::string titles() {
    std::string all;
    for (const Scene& scene : session().scenes) { all += scene.title.substr(5); }
    return all;
  }
  void inList(const std::function<void(ImGuiTestContext*)>& act) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->SetRef(user->WindowInfo("//###Scenes/list").ID);
      act(user);
    }));
    driver_.settle();
  }
  [[nodiscard]] static const ImGuiWindow* hallWindow(const char* panel) {
    return ImGui::FindWindowByName((std::string("###Hall ") + panel).c_str());
  }

  UiDriver driver_;
};

TEST_F(PresentingTest, ScenesAreRecordedWithOneKeyAndShownByAClick) {
  record();
  press(ImGuiKey_F10);
  ASSERT_TRUE(session().listed);
  inList([](ImGuiTestContext* user) { user->ItemClick("###scene 0"); });
  EXPECT_EQ(session().current, 0U);
  EXPECT_EQ(state().cursor.position(), 3U);
  press(ImGuiMod_Ctrl | ImGuiKey_PageDown);
  EXPECT_EQ(state().cursor.position(), 6U);
  press(ImGuiMod_Ctrl | ImGuiKey_PageUp);
  EXPECT_EQ(state().cursor.position(), 3U);
  press(ImGuiKey_F10);
  EXPECT_FALSE(session().listed);
}

TEST_F(PresentingTest, ScenesAreReorderedByKeysAndByDraggingAndDeletedWithUndo) {
  record();
  press(ImGuiKey_F10);
  inList([](ImGuiTestContext* user) {
    user->ItemClick("###scene 0");
    user->KeyPress(ImGuiMod_Shift | ImGuiKey_DownArrow);
  });
  EXPECT_EQ(titles(), "639");
  inList([](ImGuiTestContext* user) { user->ItemDragAndDrop("###scene 2", "###scene 0"); });
  EXPECT_EQ(titles(), "963");
  const experiment::Choice before = state().choice;
  std::string deleted;
  inList([&](ImGuiTestContext* user) {  // the list has the keys only while its user is in it
    user->ItemClick("###scene 1");
    user->KeyPress(ImGuiKey_Delete);
    user->Yield(2);
    deleted = titles();
    user->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
  });
  EXPECT_EQ(deleted, "93");
  EXPECT_EQ(titles(), "963");
  EXPECT_TRUE(state().choice == before) << "the choice's own history is left alone";
}

TEST_F(PresentingTest, TitleAndNoteAreTypedInTheList) {
  record();
  press(ImGuiKey_F10);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef("//###Scenes");
    user->ItemInputValue("$$2/##title", "Loading");
  }));
  driver_.settle();
  EXPECT_EQ(session().scenes[2].title, "Loading");
  EXPECT_TRUE(session().changed());
}

TEST_F(PresentingTest, ANoteThatIsTypedStaysWhateverKeyLeavesIt) {
  record();
  press(ImGuiKey_F10);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->SetRef("//###Scenes");
    user->ItemClick("$$2/##note");
    user->KeyChars("Look at the halo");
    user->KeyPress(ImGuiKey_F11);
    user->Yield(2);
  }));
  driver_.settle();
  EXPECT_TRUE(state().presenting.on);
  EXPECT_EQ(session().scenes[2].note, "Look at the halo");
}

TEST_F(PresentingTest, APanelFillsTheScreenInLargerTypeAndEscapeComesBack) {
  const float line = ImGui::GetStyle().FontSizeBase;
  const std::set<Tab> before = state().view.tabs.onScreen();
  press(ImGuiKey_F11);
  ASSERT_TRUE(state().presenting.on);
  const ImGuiWindow* block = hallWindow("Block");
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(block->Active);
  EXPECT_GT(block->Size.x, 1200);
  EXPECT_GT(block->Size.y, 660);
  EXPECT_FLOAT_EQ(ImGui::GetStyle().FontSizeBase, 1.5F * line);
  press(ImGuiKey_A);
  EXPECT_EQ(hallOf(state()), std::vector{Tab::Addresses}) << "a panel's key puts it before the hall";
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state().presenting.on);
  EXPECT_FLOAT_EQ(ImGui::GetStyle().FontSizeBase, line);
  EXPECT_EQ(state().view.tabs.onScreen(), before);
}

TEST_F(PresentingTest, AClickersKeysGoToScenesAndItsPanelsToTheHall) {
  record();
  session().scenes[1].hall = {Tab::Block, Tab::Source};
  goToScene(state(), 0);
  driver_.settle();
  press(ImGuiKey_F11);
  press(ImGuiKey_PageDown);
  EXPECT_EQ(state().cursor.position(), 6U);
  ASSERT_NE(hallWindow("Source"), nullptr);
  EXPECT_TRUE(hallWindow("Source")->Active);
  EXPECT_LT(hallWindow("Block")->Size.x, 700) << "they share the screen";
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(state().cursor.position(), 7U) << "the arrows step";
  press(ImGuiKey_PageUp);
  EXPECT_EQ(state().cursor.position(), 3U);
  EXPECT_FALSE(hallWindow("Source")->Active);
}

TEST_F(PresentingTest, MarksDrawnByHandVanishOnTheNextStep) {
  press(ImGuiKey_F11);
  press(ImGuiKey_Z);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->MouseMoveToPos({300, 300});
    user->MouseDown();
    user->MouseMoveToPos({500, 350});
    user->MouseUp();
  }));
  ASSERT_EQ(state().presenting.marks.size(), 1U);
  EXPECT_GT(state().presenting.marks[0].size(), 1U);
  EXPECT_NEAR(state().presenting.marks[0].front().x, 300.0F / 1280, 0.01F);
  press(ImGuiKey_RightArrow);
  EXPECT_TRUE(state().presenting.marks.empty());
  // The next scene may be at the same step.
  record();
  session().scenes[1] = session().scenes[2];
  goToScene(state(), 1);
  driver_.settle();
  state().presenting.marks.push_back({{0.5F, 0.5F}});
  goToScene(state(), 2);
  driver_.settle();
  EXPECT_TRUE(state().presenting.marks.empty());
  press(ImGuiKey_Z);
  EXPECT_FALSE(state().presenting.marking);
}

TEST_F(PresentingTest, TheHallKeepsAFrozenPictureWhileTheLecturerWorksOn) {
  press(ImGuiKey_F11);
  driver_.settle();
  state().presenting.frozen = true;
  const render::Image before = driver_.picture();
  state().cursor.goTo(state().cursor.end());
  const render::Image frozen = driver_.picture();
  EXPECT_EQ(before.rgba, frozen.rgba);
  press(ImGuiKey_F6);
  EXPECT_FALSE(state().presenting.frozen);
  EXPECT_NE(driver_.picture().rgba, frozen.rgba);
}

TEST_F(PresentingTest, TheSpotlightAndTheNotesAreDrawn) {
  record();
  press(ImGuiKey_F11);
  const render::Image plain = driver_.picture();
  const auto brightness = [](const render::Image& image) {
    double sum = 0;
    for (std::size_t i = 0; i < image.rgba.size(); ++i) { sum += i % 4 < 3 ? image.rgba[i] : 0; }
    return sum;
  };
  press(ImGuiKey_F7);
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->MouseMoveToPos({640, 360}); }));
  EXPECT_LT(brightness(driver_.picture()), 0.9 * brightness(plain)) << "around the light it is darker";
  press(ImGuiKey_F12);
  const ImGuiWindow* notes = ImGui::FindWindowByName("###Notes");
  ASSERT_NE(notes, nullptr);
  EXPECT_TRUE(notes->Active);
  const ImGuiWindow* block = hallWindow("Block");
  ASSERT_NE(block, nullptr);
  EXPECT_GE(block->Pos.y, notes->Pos.y + notes->Size.y) << "nothing of the picture is covered";
  EXPECT_GT(block->Size.y, 500) << "and most of the screen is left to it";
}

TEST_F(PresentingTest, TheBarShowsItselfAndHides) {
  record();
  press(ImGuiKey_F11);
  EXPECT_TRUE(state().presenting.on);
  for (int i = 0; i < 20; ++i) { driver_.app().frame(0.25); }
  EXPECT_FALSE(showsBar(state().presenting));
  EXPECT_GT(state().presenting.seconds, 4);
  goToScene(state(), 1);
  EXPECT_TRUE(showsBar(state().presenting));
}

}  // namespace
}  // namespace haloscope::test
