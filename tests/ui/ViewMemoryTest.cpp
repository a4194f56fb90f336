#include "documents/ViewMemory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "TextFile.h"
#include "UiDriver.h"
#include "language/Language.h"
#include "state/ViewActions.h"

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

class ViewMemoryTest : public ::testing::Test {
 protected:
  ViewMemoryTest() : folder_(fs::path(::testing::TempDir()) / ("haloscope_view" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ViewMemoryTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] fs::path file() const { return folder_ / "view.json"; }
  [[nodiscard]] View restored() const {
    View view;
    ViewMemory(file()).restore(view);
    return view;
  }

  fs::path folder_;
};

TEST_F(ViewMemoryTest, TheNextRunHasThemeTextSizeAndLanguage) {
  const auto remembering = [&](AppOptions& options) { options.memory = folder_; };
  {
    UiDriver driver(remembering);
    toggleTheme(driver.state());
    enlargeText(driver.state());
    toggleLanguage(driver.state());
    driver.settle();
    EXPECT_EQ(language(), Language::Chinese);
  }
  UiDriver next(remembering);
  EXPECT_TRUE(next.state().view.light);
  EXPECT_FLOAT_EQ(next.state().view.scale, 1.1F);
  EXPECT_EQ(language(), Language::Chinese);
  setLanguage(Language::English);
}

TEST_F(ViewMemoryTest, OnlyAChangeIsWritten) {
  ViewMemory memory(file());
  View view;
  EXPECT_FALSE(memory.remember(view));
  view.light = true;
  EXPECT_TRUE(memory.remember(view));
  EXPECT_FALSE(memory.remember(view));
}

TEST_F(ViewMemoryTest, WhatIsDamagedHasItsDefault) {
  EXPECT_FALSE(restored().light) << "no file";
  for (const char* text : {"", "[1]", "{\"light\": 3, \"text scale\": \"large\"}", "{\"light\": tr"}) {
    writeFile(file(), text);
    EXPECT_FALSE(restored().light) << text;
    EXPECT_FLOAT_EQ(restored().scale, 1) << text;
  }
  writeFile(file(), "{\"light\": true, \"text scale\": 99}");
  EXPECT_TRUE(restored().light);
  EXPECT_FLOAT_EQ(restored().scale, kLargestTextScale);
}

TEST_F(ViewMemoryTest, WithoutAFileTheViewStaysAsItIs) {
  View view;
  view.light = true;
  ViewMemory(fs::path()).restore(view);
  EXPECT_TRUE(view.light);
}

}  // namespace
}  // namespace haloscope::test
