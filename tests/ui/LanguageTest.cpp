#include "language/Language.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

#include "TextRoom.h"
#include "UiDriver.h"
#include "checking/Check.h"
#include "state/FigureList.h"
#include "state/ViewActions.h"
#include "ui/window/PanelList.h"

namespace haloscope::test {
namespace {

struct Looks {
  Language language;
  bool light;
};

class TextRoomTest : public ::testing::TestWithParam<Looks> {
 protected:
  TextRoomTest() {
    driver_.state().view.language = GetParam().language;
    driver_.state().view.light = GetParam().light;
    driver_.settle();
  }
  ~TextRoomTest() override { setLanguage(Language::English); }
  void expectReadable(const std::string& what) {
    driver_.settle();
    driver_.settle();  // tables take the width of their words a frame later
    for (const std::string& one : unreadableTexts(*ImGui::GetDrawData())) { ADD_FAILURE() << what << ": " << one; }
  }

  UiDriver driver_;
};

TEST_P(TextRoomTest, EveryPanelHasRoomForItsTexts) {
  AppState& state = driver_.state();
  for (const ui::Panel* panel : ui::panels()) {
    state.view.tabs.bringToFront(panel->tab);
    expectReadable(panel->title);
  }
  state.view.tabs.bringToFront(Tab::Figures);
  for (const ListedFigure& figure : listedFigures()) {
    state.figures.inFront = figure.id;
    expectReadable(figure.id);
  }
}

TEST_P(TextRoomTest, DialogsAndTheComparisonHaveRoomForTheirTexts) {
  AppState& state = driver_.state();
  state.view.showHelp = true;
  expectReadable("help");
  state.view.showHelp = false;
  state.view.showAbout = true;
  expectReadable("about");
  state.view.showAbout = false;
  openFileDialog(state);
  expectReadable("file dialog");
  closeTopmost(state);
  state.choice.withoutBarriers = {50};
  state.view.tabs.bringToFront(Tab::Findings);
  expectReadable("findings");
}

INSTANTIATE_TEST_SUITE_P(BothLanguagesAndThemes, TextRoomTest,
                         ::testing::Values(Looks{Language::English, false}, Looks{Language::English, true},
                                           Looks{Language::Chinese, false}, Looks{Language::Chinese, true}));

TEST(LanguageSwitchTest, WhatIsOnScreenChangesAndStaysWhereItIs) {
  UiDriver driver([](AppOptions& options) {
    options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
      return checking::check(experiment, stop);
    };
  });
  AppState& state = driver.state();
  state.choice.withoutBarriers = {50};
  state.view.tabs.bringToFront(Tab::Findings);
  driver.settle();
  ASSERT_NE(state.report, nullptr);
  ASSERT_FALSE(state.report->findings.empty());
  const std::string english = state.report->findings.front().message;
  const ImGuiWindow* const window = windowOf(state, Tab::Findings);
  const ImGuiID place = window->DockId;
  const std::string title = window->Name;

  toggleLanguage(state);
  driver.settle();
  EXPECT_EQ(language(), Language::Chinese);
  EXPECT_NE(state.report->findings.front().message, english);
  EXPECT_EQ(windowOf(state, Tab::Findings), window);
  EXPECT_EQ(window->DockId, place);
  EXPECT_NE(window->Name, title);
  EXPECT_TRUE(state.view.tabs.inFront(Tab::Findings));

  toggleLanguage(state);
  driver.settle();
  EXPECT_EQ(state.report->findings.front().message, english);
}

}  // namespace
}  // namespace haloscope::test
