#include "actions/StartPageActions.h"
#include "state/StartPage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/BugLabTasks.h"
#include "language/Language.h"
#include "lessons/Course.h"

/// The page that the window begins with, what was looked at lately, the workspaces and the hints of keys.
namespace haloscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StartPageTest : public ::testing::Test {
 protected:
  StartPageTest()
      : driver_([](AppOptions& options) {
          const std::filesystem::path folder = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "lessons";
          options.state.lesson.course =
              std::make_shared<const lessons::Course>(lessons::Course::read(folder, "en", options.state.catalogue));
          showStartPage(options.state);
          options.state.playback.playing = true;
          options.state.start.recent = {
              {"stencil/coarsened", {}, {{"IN_TILE_DIM", 6}, {"N", 24}}, Workspace::Tune},
              {"convolution/basic", {}, {{"width", 40}}, Workspace::Figures},
          };
        }) {}
  ~StartPageTest() override { setLanguage(Language::English); }

  void press(ImGuiKeyChord keys) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(keys); }));
  }
  void write(const char* signs) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyChars(signs); }));
  }
  void click(const char* item) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->SetRef(user->WindowInfo("//###start page/choices").ID);
      user->ItemClick(item);
    }));
  }
  [[nodiscard]] Workspace workspace() { return state().view.tabs.workspace(); }
  AppState& state() { return driver_.state(); }

  UiDriver driver_;
};

TEST_F(StartPageTest, OneOpensTheFirstLesson) {
  ASSERT_NE(state().lesson.course, nullptr);
  write("1");
  driver_.settle();
  EXPECT_FALSE(state().start.shown);
  EXPECT_EQ(workspace(), Workspace::Learn);
  EXPECT_EQ(state().lesson.last, state().lesson.course->lessons.front().id);
}

TEST_F(StartPageTest, OneGoesOnWithTheLessonThatWasOpenLast) {
  const std::string third = state().lesson.course->lessons.at(2).id;
  state().lesson.last = third;
  click("###1");
  EXPECT_EQ(state().lesson.last, third);
}

TEST_F(StartPageTest, TwoWalksThroughWhatThePageShowsAndNothingPlays) {
  const std::string shown = state().choice.kernel;
  EXPECT_TRUE(state().playback.playing) << "the page's picture moves";
  write("2");
  driver_.settle();
  EXPECT_FALSE(state().start.shown);
  EXPECT_EQ(workspace(), Workspace::Walk);
  EXPECT_EQ(state().choice.kernel, shown);
  EXPECT_FALSE(state().playback.playing) << "nothing moves by itself before the reader has looked";
  EXPECT_EQ(state().playback.speed, Playback().speed);
}

TEST_F(StartPageTest, OAsksForAFileAndEscapeComesBackToThePage) {
  ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
    user->KeyChars("o");
    user->Yield(4);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::Open);
    EXPECT_TRUE(state().start.shown);
    user->MouseMove("//###file/Cancel");
    user->KeyPress(ImGuiKey_Tab);
    user->KeyChars("q");
    user->Yield(4);
    EXPECT_EQ(state().view.fileDialog, View::FileDialog::Open);
    EXPECT_TRUE(state().start.shown) << "the page's keys are not meant";
    user->KeyPress(ImGuiKey_Escape);
    user->Yield(4);
  }));
  EXPECT_EQ(state().view.fileDialog, View::FileDialog::None);
  EXPECT_TRUE(state().start.shown);
}

TEST_F(StartPageTest, UOpensTheFirstTaskThatIsNotSolved) {
  const auto& tasks = state().bugLab.tasks();
  state().labProgress[tasks.at(0).id].solved = true;
  click("###U");
  EXPECT_FALSE(state().start.shown);
  ASSERT_NE(labTask(state()), nullptr);
  EXPECT_EQ(labTask(state())->id, tasks.at(1).id);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::BugLab));
}

TEST_F(StartPageTest, AnItemOfTheListComesBackWithItsSizesAndWorkspace) {
  press(ImGuiMod_Alt | ImGuiKey_2);
  driver_.settle();
  EXPECT_FALSE(state().start.shown);
  EXPECT_EQ(workspace(), Workspace::Figures);
  EXPECT_EQ(state().experiment->file.id, "convolution/basic");
  EXPECT_EQ(state().experiment->bindings.at("width"), 40);
}

TEST_F(StartPageTest, ADigitIsTheSameWorkspaceHereAsElsewhere) {
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    state().view.tabs.enter(Workspace::Walk);
    showStartPage(state());
    driver_.settle();
    write(std::to_string(i + 1).c_str());
    EXPECT_FALSE(state().start.shown) << i + 1;
    EXPECT_EQ(workspace(), static_cast<Workspace>(i)) << i + 1;
    for (const RecentItem& item : state().start.recent) { EXPECT_NE(state().choice.kernel, item.kernel) << i + 1; }
    const char* other = i == 0 ? "2" : "1";
    write(other);
    write(std::to_string(i + 1).c_str());
    EXPECT_EQ(workspace(), static_cast<Workspace>(i)) << i + 1;
  }
}

TEST_F(StartPageTest, AnItemComesBackAtItsBlockAndStepBesideItsLesson) {
  const std::string lesson = state().lesson.course->lessons.at(5).id;
  state().start.recent.front() = {.kernel = "stencil/tiled",
                                  .file = {},
                                  .bindings = {{"N", 20}},
                                  .workspace = Workspace::Learn,
                                  .block = Dim3{0, 1, 0},
                                  .step = 7,
                                  .lesson = lesson};
  const RecentItem before = state().start.recent.front();
  press(ImGuiMod_Alt | ImGuiKey_1);
  driver_.settle();
  EXPECT_EQ(state().choice.block, before.block);
  EXPECT_EQ(state().experiment->block, *before.block);
  EXPECT_EQ(state().cursor.position(), 7U);
  EXPECT_EQ(state().lesson.shown, lesson);
  EXPECT_EQ(recentItem(state()), before) << "and is noted so again";
}

TEST_F(StartPageTest, AnItemWhoseVariantIsGoneSaysSoAndLeavesTheList) {
  state().start.recent.front().kernel = "stencil/of_an_older_version";
  press(ImGuiMod_Alt | ImGuiKey_1);
  driver_.settle();
  EXPECT_TRUE(state().start.shown);
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, ::testing::HasSubstr("stencil/of_an_older_version"));
  ASSERT_EQ(state().start.recent.size(), 1U);
  EXPECT_EQ(state().start.recent.front().kernel, "convolution/basic");
}

TEST_F(StartPageTest, TheLanguageAndTheThemeAreChosenAtItsFoot) {
  click("language/中文");
  driver_.settle();
  EXPECT_EQ(language(), Language::Chinese);
  press(ImGuiKey_Y);
  driver_.settle();
  EXPECT_EQ(language(), Language::English);
  press(ImGuiKey_T);
  EXPECT_TRUE(state().view.light);
  EXPECT_TRUE(state().start.shown);
}

TEST_F(StartPageTest, KeysOfPanelsDoNothingOnIt) {
  const experiment::Choice before = state().choice;
  write("8bdx");
  EXPECT_TRUE(state().choice == before);
  EXPECT_TRUE(state().start.shown) << "there is no eighth workspace";
}

TEST_F(StartPageTest, EachWorkspaceHasAKeyAndShowsItsPanelsOnly) {
  press(ImGuiKey_Escape);
  driver_.settle();
  state().choice = {"stencil/tiled", {{"N", 24}}, std::nullopt};
  driver_.settle();
  const experiment::Choice chosen = state().choice;
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    if (workspace() == Workspace::Compare) { break; }
    write(std::to_string(i + 1).c_str());
    driver_.settle();
    EXPECT_EQ(workspace(), static_cast<Workspace>(i));
    std::set<Tab> mine;
    for (const PanelRow& row : layoutOf(workspace()).panels) { mine.insert(row.tab); }
    const std::set<Tab>& shown = state().view.tabs.onScreen();
    EXPECT_FALSE(shown.empty());
    for (const Tab tab : shown) { EXPECT_TRUE(mine.contains(tab)) << static_cast<int>(tab); }
    EXPECT_TRUE(state().choice == chosen) << "what was chosen stays chosen";
  }
  EXPECT_EQ(workspace(), Workspace::Compare);
  write("0");
  EXPECT_TRUE(state().start.shown);
  write("0");
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state().start.shown);
  EXPECT_EQ(workspace(), Workspace::Compare);
  EXPECT_EQ(state().choice.kernel, "stencil/tiled");
}

TEST_F(StartPageTest, EveryPanelHasItsPlaceWhateverTheSizeOfTheText) {
  leaveStartPage(state());
  for (const float scale : {0.7F, 1.0F, 1.4F, 2.0F}) {
    state().view.scale = scale;
    for (std::size_t i = 0; i < kWorkspaces; ++i) {
      state().view.tabs.enter(static_cast<Workspace>(i));
      driver_.settle();
      for (const PanelRow& row : layoutOf(workspace()).panels) {
        if (row.onDemand) { continue; }
        const ImGuiWindow* window = windowOf(state(), row.tab);
        ASSERT_NE(window, nullptr) << static_cast<int>(row.tab);
        EXPECT_NE(window->DockNode, nullptr) << window->Name << " floats at " << scale;
      }
    }
  }
}

TEST_F(StartPageTest, TheHintsGoOnceTheirKeysWereUsed) {
  write("2");
  driver_.settle();
  EXPECT_THAT(state().view.keysUsed, IsEmpty());
  const auto seen = [&](const char* hint) {
    ImGuiWindow* block = ImGui::FindWindowByName("###Walk Block");
    return block->StateStorage.GetFloat(block->GetID(hint), 1);
  };
  EXPECT_EQ(seen("step"), 1);
  press(ImGuiKey_RightArrow);
  press(ImGuiMod_Shift | ImGuiKey_RightArrow);
  press(ImGuiKey_Space);
  press(ImGuiKey_Space);
  EXPECT_THAT(state().view.keysUsed, ElementsAre("interval", "play", "step"));
  for (int i = 0; i < 40; ++i) { driver_.app().frame(1.0 / 30); }
  for (const char* hint : {"interval", "play", "step"}) { EXPECT_EQ(seen(hint), 0) << hint; }
}

TEST(TabsTest, APanelThatAWorkspaceDoesNotHaveOpensAtItsHome) {
  Tabs tabs;
  ASSERT_EQ(tabs.workspace(), Workspace::Walk);
  tabs.bringToFront(Tab::Addresses);
  EXPECT_EQ(tabs.workspace(), Workspace::Walk);
  EXPECT_TRUE(tabs.inFront(Tab::Addresses));
  EXPECT_FALSE(tabs.inFront(Tab::Memory)) << "they share a place";
  tabs.bringToFront(Tab::Roofline);
  EXPECT_EQ(tabs.workspace(), Workspace::Tune);
  EXPECT_EQ(tabs.before(), Workspace::Walk);
  tabs.enter(Workspace::Walk);
  EXPECT_TRUE(tabs.inFront(Tab::Addresses)) << "each workspace keeps its own";
}

}  // namespace
}  // namespace haloscope::test
