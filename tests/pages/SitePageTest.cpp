#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/ChapterText.h"
#include "handout/Handout.h"
#include "language/Language.h"
#include "program/Launch.h"

// The page of a variant in a site, opened from its folder in each browser as a reader opens it.

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;

const fs::path kRoot = HALOSCOPE_SOURCE_DIR;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

class SitePageTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!fs::exists(HALOSCOPE_MODULE)) { GTEST_SKIP() << "./run.sh --pages builds the module"; }
    if (std::system(fmt::format("command -v {} >/dev/null 2>&1", GetParam()).c_str()) != 0) {
      GTEST_SKIP() << "there is no " << GetParam();
    }
    std::string name = (fs::temp_directory_path() / "haloscope-site-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    setLanguageFolder(fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
  }
  void TearDown() override {
    setLanguage(Language::English);
    std::error_code ignored;
    if (!folder_.empty()) { fs::remove_all(folder_, ignored); }
  }

  /// The page as `haloscope site` writes it, with its common files, in the current language.
  void writePage(const KernelFile& file) {
    Chapter chapter;
    chapter.experiment = experiment::run(file, {.kernel = file.id});
    chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*chapter.experiment));
    const fs::path assets = kRoot / "assets";
    for (const auto& [name, text] : commonFiles(assets, HALOSCOPE_MODULE)) { write(folder_ / "handout" / name, text); }
    write(folder_ / "en" / "page.html",
          page("site", {chapter}, assets, HALOSCOPE_MODULE, {}, SiteAround{"../handout/", ""}));
  }

  /// What a script in the page returns, line by line.
  [[nodiscard]] std::vector<std::string> said(int width, const std::string& place, const std::string& script) const {
    write(folder_ / "script.js", script);
    const std::string command = fmt::format(
        "timeout 120 node '{0}/tests/pages/browse.js' {1} '{2}/profile' {3} 'file://{2}/en/page.html#{4}' "
        "<'{2}/script.js' "
        ">'{2}/said' 2>&1",
        kRoot.string(), GetParam(), folder_.string(), width, place);
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::istringstream text(readWhole(folder_ / "said").value_or(""));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) { lines.push_back(line); }
    return lines;
  }

  fs::path folder_;
};

const char* const kScript = R"(
  const until = async (condition) => { for (let i = 0; i < 600 && !condition(); ++i) await new Promise((resolve) => setTimeout(resolve, 100)); };
  const text = (name) => document.querySelector(name)?.textContent ?? "";
  const where = () => text("#bar .sentence strong");
  const caption = text(".caption");
  await until(() => text(".caption") !== caption);
  const lines = [text(".caption"), where().split(" · ")[0]];
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  await until(() => /step=[^7]/.test(location.hash));
  lines.push(location.hash, document.documentElement.scrollWidth <= innerWidth);
  return lines;
)";

TEST_P(SitePageTest, AnAddressIsExecutedFromAFolderOnAPhone) {
  const Catalogue catalogue = Catalogue::read(kRoot / "kernels");
  const KernelFile& file = catalogue.at("stencil/coarsened");
  writePage(file);
  experiment::Choice choice{.kernel = file.id, .bindings = {{"IN_TILE_DIM", 4}}};
  choice.block = Dim3{1, 1, 0};
  const std::string place = "IN_TILE_DIM=4&block=1,1,0&step=";
  EXPECT_THAT(said(360, place + "7", kScript), ElementsAre(captionOf(*experiment::run(file, choice)),
                                                           StartsWith("Step 7 of"), "#" + place + "8", "true"));
}

TEST_P(SitePageTest, TheChinesePageExecutesInChinese) {
  setLanguage(Language::Chinese);
  const Catalogue catalogue = Catalogue::read(kRoot / "kernels");
  const KernelFile& file = catalogue.at("stencil/basic");
  writePage(file);
  experiment::Choice choice{.kernel = file.id};
  const std::int64_t size = file.defaults().at("N") + 1;
  choice.bindings = {{"N", size}};
  const std::vector<std::string> lines = said(1280, fmt::format("N={}&step=7", size), kScript);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), captionOf(*experiment::run(file, choice)));
}

INSTANTIATE_TEST_SUITE_P(Browsers, SitePageTest, testing::Values("chromium", "firefox-esr"),
                         [](const auto& test) { return std::string(test.param).substr(0, 7); });

}  // namespace
}  // namespace haloscope::handout
