#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "UiDriver.h"
#include "actions/ViewActions.h"
#include "language/Language.h"
#include "lessons/Course.h"

/// The manual in the window: its list of pages, and the links between them.
namespace haloscope::test {
namespace {

void provideManual(AppOptions& options) {
  const std::filesystem::path assets = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets";
  LessonView& view = options.state.lesson;
  view.course =
      std::make_shared<const lessons::Course>(lessons::Course::read(assets / "lessons", "en", options.state.catalogue));
  view.manual = std::make_shared<const lessons::Course>(lessons::Course::readManual(assets / "manual", "en"));
}

class ManualWindow : public ::testing::Test {
 protected:
  [[nodiscard]] AppState& state() { return driver_.state(); }
  /// On an item of a part of the window: its list, or a page.
  void click(const std::string& part, const std::string& item) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) {
      user->SetRef(user->WindowInfo(("//###Manual/" + part).c_str()).ID);
      user->ItemClick(item.c_str());
    }));
  }
  void press(ImGuiKey key) {
    ASSERT_TRUE(driver_.act([&](ImGuiTestContext* user) { user->KeyPress(key); }));
  }

  UiDriver driver_{provideManual};
};

TEST_F(ManualWindow, APageIsChosenFromTheList) {
  press(ImGuiKey_F1);
  EXPECT_TRUE(state().view.showHelp);
  click("contents", "###check");
  EXPECT_EQ(state().view.page, "check");
  click("contents", std::string("###") + kGlossaryPage);
  EXPECT_EQ(state().view.page, kGlossaryPage);
  press(ImGuiKey_Escape);
  EXPECT_FALSE(state().view.showHelp);
}

TEST_F(ManualWindow, ALinkOpensItsPage) {
  const lessons::Lesson* const page = state().lesson.manual->find("export");
  ASSERT_FALSE(page == nullptr || page->links.empty());
  openManual(state(), page->id);
  driver_.settle();
  click(page->id, "$$0/link0");
  EXPECT_EQ(state().view.page, page->links.front().target);
}

TEST_F(ManualWindow, FollowsTheLanguage) {
  openManual(state(), "check");
  driver_.settle();
  state().view.language = Language::Chinese;
  driver_.settle();
  EXPECT_EQ(state().lesson.manual->language, "zh");
  state().view.language = Language::English;
  driver_.settle();
  EXPECT_EQ(state().lesson.manual->language, "en");
}

}  // namespace
}  // namespace haloscope::test
