#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "handout/ChapterText.h"
#include "handout/Handout.h"
#include "language/Language.h"
#include "program/Launch.h"
#include "tests/pages/Browser.h"

// The page of a variant in a site, opened from its folder in each browser as a reader opens it.

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::StartsWith;

const fs::path kRoot = HALOSCOPE_SOURCE_DIR;

class SitePageTest : public BrowserTest {
 protected:
  /// The page as `haloscope site` writes it, with its common files, in the current language.
  void writePage(const KernelFile& file) {
    Chapter chapter;
    chapter.experiment = experiment::run(file, {.kernel = file.id});
    chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*chapter.experiment));
    const fs::path assets = kRoot / "assets";
    for (const auto& [name, text] : commonFiles(assets, HALOSCOPE_MODULE)) {
      folder_.write(fs::path("handout") / name, text);
    }
    folder_.write("en/page.html", page("site", {chapter}, assets, HALOSCOPE_MODULE, {}, SiteAround{"../handout/", ""}));
  }
};

const std::string kScript = std::string(kUntil) + R"(
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
  EXPECT_THAT(
      said(360, "en/page.html#" + place + "7", kScript),
      ElementsAre(captionOf(*experiment::run(file, choice)), StartsWith("Step 7 of"), "#" + place + "8", "true"));
}

TEST_P(SitePageTest, TheChinesePageExecutesInChinese) {
  setLanguage(Language::Chinese);
  const Catalogue catalogue = Catalogue::read(kRoot / "kernels");
  const KernelFile& file = catalogue.at("stencil/basic");
  writePage(file);
  experiment::Choice choice{.kernel = file.id};
  const std::int64_t size = file.defaults().at("N") + 1;
  choice.bindings = {{"N", size}};
  const std::vector<std::string> lines = said(1280, fmt::format("en/page.html#N={}&step=7", size), kScript);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), captionOf(*experiment::run(file, choice)));
}

INSTANTIATE_TEST_SUITE_P(Browsers, SitePageTest, testing::Values("chromium", "firefox-esr"), browserName);

}  // namespace
}  // namespace haloscope::handout
