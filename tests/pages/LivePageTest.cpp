#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/ChapterText.h"
#include "handout/Handout.h"
#include "inputs/ChosenData.h"
#include "language/Language.h"
#include "program/Launch.h"
#include "program/NumberText.h"

// A page that executes, opened in Chromium from a file.

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const fs::path kSourceTree = HALOSCOPE_SOURCE_DIR;

KernelFile variant(const std::string& id) {
  static const Catalogue kCatalogue = Catalogue::read(kSourceTree / "kernels");
  return kCatalogue.at(id);
}

std::shared_ptr<const Experiment> executed(const KernelFile& file, Bindings bindings = {},
                                           std::set<int> withoutBarriers = {}) {
  experiment::Choice choice{.kernel = file.id};
  choice.bindings = std::move(bindings);
  choice.withoutBarriers = std::move(withoutBarriers);
  return experiment::run(file, choice);
}

Chapter checkedChapter(std::shared_ptr<const Experiment> experiment) {
  Chapter chapter;
  chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*experiment));
  chapter.experiment = std::move(experiment);
  return chapter;
}

/// What a script executed behind the page's own says, line by line. It has `live`, once the page can execute, and
/// `after(act)`, which awaits the answer to what `act` changes. Time is real here: the worker has a clock of its own.
std::vector<std::string> saidBy(std::string page, const std::string& script, const std::string& before = {}) {
  const std::size_t hash = page.find("'sha256-");
  page.replace(hash, page.find('\'', hash + 1) + 1 - hash, "'unsafe-inline'");
  page.insert(page.find("<title>"), before);
  page.insert(page.rfind("</body>"), R"(<script>
const say = (line) => console.log("said: " + line);
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const answered = (wanted) => new Promise((resolve) => {
  const {live} = controls.player;
  live.onanswer = (name) => { if (name === wanted) { live.onanswer = null; resolve(); } };
});
const after = async (act) => { act(); await answered("run"); };
const set = (name, value) => {
  const knob = document.querySelector(name);
  knob.value = value;
  knob.dispatchEvent(new Event("input", {bubbles: true}));
};
const text = (name) => document.querySelector(name).textContent;
(async () => {
  await opened;
  try {)" + script + R"(  } catch (error) { say("error " + error.stack); }
  say("end");
})();
</script>)");
  std::string folder = (fs::temp_directory_path() / "haloscope-live-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) { throw std::runtime_error("no temporary folder"); }
  std::ofstream(fs::path(folder) / "page.html", std::ios::binary) << page;
  const std::string command = fmt::format(
      "cd '{0}' && {{ timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--user-data-dir='{0}/profile' --window-size=1280,720 --enable-logging=stderr 'file://{0}/page.html' "
      ">out 2>&1 & pid=$!; for i in $(seq 900); do grep -q 'said: end' out && break; sleep 0.1; done; kill $pid; "
      "wait $pid; true; }} 2>/dev/null",
      folder);
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string out = readWhole(fs::path(folder) / "out").value_or("");
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  std::vector<std::string> said;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("\"said: "), end = line.rfind("\", source: ");
    if (at != std::string::npos && end != std::string::npos) { said.push_back(line.substr(at + 7, end - at - 7)); }
  }
  EXPECT_TRUE(!said.empty() && said.back() == "end") << out;
  if (!said.empty()) { said.pop_back(); }
  return said;
}

const char* const kWaitForLive = R"(
  while (!controls.player.live || controls.player.live.busy) await pause();
)";

class LivePageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(HALOSCOPE_MODULE)) { GTEST_SKIP() << "./run.sh --pages builds the module"; }
    if (std::system("command -v chromium >/dev/null 2>&1") != 0) { GTEST_SKIP() << "there is no chromium"; }
  }
  static std::string livePage(const std::shared_ptr<const Experiment>& experiment) {
    return page("live", {checkedChapter(experiment)}, kSourceTree / "assets", HALOSCOPE_MODULE);
  }
};

TEST_F(LivePageTest, AnotherTileAndSizeAreExecuted) {
  const KernelFile file = variant("stencil/coarsened");
  const std::string page = livePage(executed(file, {{"N", 12}, {"IN_TILE_DIM", 6}}));
  EXPECT_LT(page.size(), 1'500'000U);
  const auto chosen = executed(file, {{"N", 20}, {"IN_TILE_DIM", 4}, {"REAL", 8}});
  const auto without = executed(file, {{"N", 20}, {"IN_TILE_DIM", 4}, {"REAL", 8}}, chosen->barriers);
  const std::vector<std::string> said = saidBy(page, std::string(kWaitForLive) + R"(
  const stands = controls.player.recording;
  const first = after(() => set("[data-knob=IN_TILE_DIM]", 4));
  say(controls.player.recording === stands);
  await first;
  await after(() => set("input[type=number][data-knob=N]", 20));
  await after(() => set("select[data-knob=REAL]", 8));
  say(controls.player.recording.steps);
  say(text(".caption"));
  say([...document.querySelectorAll(".counts td")].map((cell) => cell.textContent).join("|"));
  for (const barrier of document.querySelectorAll(".barrier input")) barrier.checked = true;
  await after(() => set(".order", "side-by-side"));
  await answered("check");
  say(text(".findings").replaceAll("\n", ""));
  say(controls.player.recording.faulty.length);
)");
  ASSERT_EQ(said.size(), 6U) << testing::PrintToString(said);
  EXPECT_EQ(said[0], "true");
  EXPECT_EQ(said[1], std::to_string(chosen->recording->steps.size()));
  EXPECT_EQ(said[2], captionOf(*chosen));
  EXPECT_THAT(said[3], testing::StartsWith(grouped(chosen->counts.flops) + "|"));
  EXPECT_THAT(said[3], HasSubstr(fmt::format("{:.3f} OP/B", chosen->opPerByte.executed)));
  const Chapter checked = checkedChapter(without);
  EXPECT_FALSE(checked.report->findings.empty());
  EXPECT_THAT(said[4], HasSubstr(checked.report->findings.front().text().substr(0, 30)));
  EXPECT_EQ(said[5], std::to_string(faultyOutputs(*without, checked.report.get()).size()));
}

TEST_F(LivePageTest, AnAddressSetsWhatItNamesAndThePageKeepsItsOwn) {
  const KernelFile file = variant("stencil/coarsened");
  const std::string page = livePage(executed(file, {{"N", 12}, {"IN_TILE_DIM", 6}}));
  experiment::Choice choice{.kernel = file.id};
  choice.bindings = {{"N", 20}, {"IN_TILE_DIM", 4}, {"REAL", 8}};
  choice.block = Dim3{2, 1, 0};
  inputs::choose(choice.data, "in", "ramp");
  const std::vector<std::string> said = saidBy(page, std::string(kWaitForLive) + R"(
  const settled = () => new Promise((resolve) => setTimeout(resolve, 500));
  await after(() => { location.hash = "IN_TILE_DIM=4&N=20&REAL=double&block=2,1,0&in=ramp&step=20"; });
  say(text(".caption"));
  say(controls.player.recording.position);
  controls.by(1);
  await settled();
  say(location.hash);
  await after(() => set("[data-knob=IN_TILE_DIM]", 6));
  await after(() => { location.hash = "step=3"; });
  await settled();
  say(location.hash);
  say(document.querySelector("input[type=number][data-knob=N]").value);
  say(text(".copy"));
)");
  ASSERT_EQ(said.size(), 6U) << testing::PrintToString(said);
  EXPECT_EQ(said[0], captionOf(*experiment::run(file, choice)));
  EXPECT_EQ(said[1], "20");
  EXPECT_EQ(said[2], "#N=20&IN_TILE_DIM=4&REAL=double&in=ramp&block=2,1,0&step=21");
  EXPECT_EQ(said[3], "#step=3");
  EXPECT_EQ(said[4], "12");
  EXPECT_EQ(said[5], "Copy a link to this place");
}

TEST_F(LivePageTest, ACellTakesTheReadersNumber) {
  const std::vector<std::string> said =
      saidBy(livePage(executed(variant("stencil/basic"), {{"N", 8}})), std::string(kWaitForLive) + R"(
  const view = controls.player.views.find((one) => one.choosable);
  say(view.grid.title);
  view.edit(view.grid.elements.findIndex((element, index) => element >= 0 && view.grid.cell(index).shown), {pageX: 10, pageY: 10});
  const field = document.querySelector(".own");
  field.value = "42.5";
  await after(() => field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})));
  const now = controls.player.views.find((one) => one.grid.title === view.grid.title);
  controls.go(Infinity);
  say([...Array(now.grid.count).keys()].some((index) => {
    const cell = now.grid.cell(index);
    return cell.shown && numberOf(cell.type, cell.low, cell.high) === 42.5;
  }));
)");
  EXPECT_THAT(said, ElementsAre("in", "true"));
}

TEST_F(LivePageTest, WhatCannotBeExecutedIsASentenceAndThePictureStands) {
  const std::vector<std::string> said = saidBy(
      livePage(executed(variant("stencil/coarsened"), {{"N", 12}, {"IN_TILE_DIM", 6}})), std::string(kWaitForLive) + R"(
  await after(() => set(".block input", 0));
  say(text(".caption").includes("(0,"));
  const {steps} = controls.player.recording;
  await after(() => set(".data textarea", "nothing=ramp"));
  say(text(".doing"));
  controls.player.live.facts.programs.splice(0, 1000);
  set("[data-knob=IN_TILE_DIM]", 5);
  say(text(".doing"));
  say(controls.player.recording.steps === steps);
)");
  ASSERT_EQ(said.size(), 4U) << testing::PrintToString(said);
  EXPECT_EQ(said[0], "true");
  EXPECT_THAT(said[1], HasSubstr("nothing"));
  EXPECT_THAT(said[2], HasSubstr("haloscope export stencil/coarsened"));
  EXPECT_EQ(said[3], "true");
}

TEST_F(LivePageTest, TheEmulatorSpeaksThePagesLanguage) {
  setLanguageFolder(fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
  setLanguage(Language::Chinese);
  const std::string page = livePage(executed(variant("stencil/basic"), {{"N", 8}}));
  setLanguage(Language::English);
  EXPECT_LT(page.size(), 1'500'000U);
  const std::vector<std::string> said = saidBy(page, std::string(kWaitForLive) + R"(
  await after(() => set("[data-knob=N]", 10));
  say(/[\u4e00-\u9fff]/.test(text(".counts")) && /[\u4e00-\u9fff]/.test(text(".caption")));
)");
  EXPECT_THAT(said, ElementsAre("true"));
}

TEST_F(LivePageTest, WithoutWebAssemblyItIsAHandOut) {
  const std::vector<std::string> said = saidBy(livePage(executed(variant("stencil/basic"), {{"N", 8}})), R"(
  while (!document.querySelector(".chapter > .trouble")) await pause();
  say(text(".chapter > .trouble"));
  say(controls.player.recording.steps > 2);
  say(document.querySelector("form.live").hidden);
)",
                                               "<script>delete globalThis.WebAssembly;</script>");
  ASSERT_EQ(said.size(), 3U) << testing::PrintToString(said);
  EXPECT_THAT(said[0], HasSubstr("no WebAssembly"));
  EXPECT_EQ(said[1], "true");
  EXPECT_EQ(said[2], "true");
}

TEST_F(LivePageTest, ADamagedModuleIsASentence) {
  std::string page = livePage(executed(variant("stencil/basic"), {{"N", 8}}));
  const std::size_t module = page.find("id=\"module\">") + 12;
  page.replace(module + 1000, 8, "AAAAAAAA");
  const std::vector<std::string> said = saidBy(page, R"(
  while (!document.querySelector(".chapter > .trouble")) await pause();
  say(text(".chapter > .trouble"));
)");
  EXPECT_THAT(said, ElementsAre(HasSubstr("cannot be started")));
}

TEST_F(LivePageTest, ThePolicyAllowsItsOwnScriptAlone) {
  const std::string page = livePage(executed(variant("stencil/basic"), {{"N", 8}}));
  const std::string policy = page.substr(page.find("default-src"), 400);
  EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(policy.substr(0, policy.find("style-src")), Not(HasSubstr("unsafe-inline")));
}

}  // namespace
}  // namespace haloscope::handout
