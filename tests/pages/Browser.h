#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "files/FileText.h"
#include "language/Language.h"
#include "tests/pages/TemporaryFolder.h"

namespace haloscope {

/// Pages of a site in a folder, opened in a browser, which is the parameter.
class BrowserTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(HALOSCOPE_MODULE)) { GTEST_SKIP() << "./run.sh --pages builds the module"; }
    if (std::system(fmt::format("command -v {} >/dev/null 2>&1", GetParam()).c_str()) != 0) {
      GTEST_SKIP() << "there is no " << GetParam();
    }
    setLanguageFolder(std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
  }
  void TearDown() override { setLanguage(Language::English); }

  /// What a script in the page returns, line by line. `place`: of the page, "en/page.html#step=7".
  [[nodiscard]] std::vector<std::string> said(int width, const std::string& place, const std::string& script) const {
    folder_.write("script.js", script);
    const std::string command = fmt::format(
        "timeout 120 node '{0}/browse.js' {1} '{2}/profile' {3} 'file://{2}/{4}' <'{2}/script.js' >'{2}/said' 2>&1",
        HALOSCOPE_TEST_DIR, GetParam(), folder_.path().string(), width, place);
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::istringstream text(readWhole(folder_.path() / "said").value_or(""));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) { lines.push_back(line); }
    return lines;
  }

  TemporaryFolder folder_;
};

/// What scripts use to wait: until(condition).
inline constexpr const char* kUntil = R"(
  const until = async (condition) => {
    for (let i = 0; i < 600 && !condition(); ++i) await new Promise((resolve) => setTimeout(resolve, 100));
  };
)";

inline std::string browserName(const testing::TestParamInfo<const char*>& test) {
  return std::string(test.param).substr(0, 7);
}

}  // namespace haloscope
