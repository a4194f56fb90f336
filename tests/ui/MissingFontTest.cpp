#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>

#include "UiDriver.h"
#include "language/Language.h"

namespace haloscope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MissingFont : public ::testing::Test {
 protected:
  ~MissingFont() override { setLanguage(Language::English); }
};

TEST_F(MissingFont, ChineseOfTheSystemBecomesEnglishWithAMessage) {
  UiDriver driver([](AppOptions& options) {
    options.fonts.clear();
    setLanguage(Language::Chinese);  // as the process takes it from LANG
  });
  EXPECT_EQ(language(), Language::English);
  EXPECT_THAT(driver.state().languageProblem, AllOf(HasSubstr("NotoSansCJK-Regular.ttc"), HasSubstr("fonts-noto-cjk")));
  driver.settle();
  EXPECT_NE(driver.state().experiment, nullptr);
  EXPECT_FALSE(driver.state().languageProblem.empty()) << "it stays until it is dismissed";
}

TEST_F(MissingFont, ChineseThatIsChosenStaysEnglishWithAMessage) {
  UiDriver driver([](AppOptions& options) { options.fonts.clear(); });
  EXPECT_TRUE(driver.state().languageProblem.empty());
  driver.state().view.language = Language::Chinese;
  driver.settle();
  EXPECT_EQ(language(), Language::English);
  EXPECT_THAT(driver.state().languageProblem, HasSubstr("fonts-noto-cjk"));
  EXPECT_EQ(driver.state().view.language, Language::English);
}

TEST_F(MissingFont, WithTheFontsChineseIsShown) {
  UiDriver driver([](AppOptions& options) { options.state.view.language = Language::Chinese; });
  driver.settle();
  EXPECT_EQ(language(), Language::Chinese);
  EXPECT_TRUE(driver.state().languageProblem.empty());
}

TEST_F(MissingFont, EveryFaceHasCharactersThatTheBoldFontIsCutWithout) {
  UiDriver driver([](AppOptions& options) {
    options.fonts = {std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "fonts"};
  });
  driver.settle();
  constexpr ImWchar kFrequent = 0x7684, kRare = 0x56CD;
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    EXPECT_TRUE(font->IsGlyphInFont(kFrequent));
    EXPECT_TRUE(font->IsGlyphInFont(kRare));
  }
}

}  // namespace
}  // namespace haloscope::test
