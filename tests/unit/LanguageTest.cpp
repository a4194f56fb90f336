#include "language/Language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "language/MoFile.h"
#include "language/Text.h"

namespace haloscope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A catalogue as msgfmt writes it.
std::string catalogue(const std::vector<std::pair<std::string, std::string>>& texts) {
  const auto count = static_cast<std::uint32_t>(texts.size());
  std::string strings;
  std::vector<std::uint32_t> words{0x950412de, 0, count, 28, 28 + 8 * count, 0, 0};
  const std::uint32_t begin = 28 + 16 * count;
  const auto add = [&](const std::string& text) {
    words.push_back(static_cast<std::uint32_t>(text.size()));
    words.push_back(begin + static_cast<std::uint32_t>(strings.size()));
    strings += text + '\0';
  };
  for (const auto& [english, translation] : texts) { add(english); }
  for (const auto& [english, translation] : texts) { add(translation); }
  return std::string(reinterpret_cast<const char*>(words.data()), words.size() * 4) + strings;
}

TEST(LanguageTest, ACatalogueHasItsTextsAndTheFirstFormOfAPlural) {
  const MoFile file(catalogue({{"", "header"}, {"halo", "光环"}, {std::string("{} tile\0{} tiles", 15), "{} 个图块"}}),
                    "a.mo");
  EXPECT_STREQ(file.find("halo"), "光环");
  EXPECT_STREQ(file.find("{} tile"), "{} 个图块");
  EXPECT_EQ(file.find("tile"), nullptr);
  EXPECT_EQ(file.find(""), nullptr);
}

TEST(LanguageTest, ADamagedCatalogueIsNamedWhereverItEnds) {
  const std::string good = catalogue({{"halo", "光环"}, {"tile", "图块"}});
  for (std::size_t length = 0; length < good.size(); ++length) {
    try {
      const MoFile file(good.substr(0, length), "folder/zh_CN.mo");
      ADD_FAILURE() << length;
    } catch (const LanguageError& error) { EXPECT_THAT(error.what(), HasSubstr("folder/zh_CN.mo")); }
  }
}

TEST(LanguageTest, ATextWithoutTranslationIsEnglish) {
  EXPECT_STREQ(tr("a text"), "a text");
  EXPECT_EQ(trf("{} of {:.1f}", 3, 2.0), "3 of 2.0");
  EXPECT_EQ(trn("{} tile", "{} tiles", 1, 1), "1 tile");
  EXPECT_EQ(trn("{} tile", "{} tiles", 0, 0), "0 tiles");
}

TEST(LanguageTest, AMissingCatalogueLeavesTheLanguage) {
  setLanguageFolder("no such folder");
  try {
    setLanguage(Language::Chinese);
    ADD_FAILURE();
  } catch (const LanguageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("no such folder/zh_CN.mo"), HasSubstr("install Haloscope again")));
  }
  EXPECT_EQ(language(), Language::English);
}

TEST(LanguageTest, TheSystemsLanguageIsThatOfTheFirstVariableThatIsSet) {
  const auto set = [](const char* name, const char* value) { ::setenv(name, value, 1); };
  for (const char* name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES"}) { ::unsetenv(name); }
  set("LANG", "zh_CN.UTF-8");
  EXPECT_EQ(systemLanguage(), Language::Chinese);
  set("LC_MESSAGES", "de_DE.UTF-8");
  EXPECT_EQ(systemLanguage(), Language::English);
  set("LC_ALL", "zh_SG");
  EXPECT_EQ(systemLanguage(), Language::Chinese);
  set("LANGUAGE", "en");
  EXPECT_EQ(systemLanguage(), Language::English);
  for (const char* name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"}) { ::unsetenv(name); }
  EXPECT_EQ(systemLanguage(), Language::English);
}

TEST(LanguageTest, CodesNameLanguages) {
  EXPECT_EQ(languageWithCode("zh"), Language::Chinese);
  EXPECT_EQ(languageWithCode("en"), Language::English);
  EXPECT_EQ(languageWithCode("fr"), std::nullopt);
  EXPECT_STREQ(languageCode(Language::Chinese), "zh");
}

}  // namespace
}  // namespace haloscope::test
