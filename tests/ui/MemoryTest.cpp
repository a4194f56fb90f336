#include "documents/Memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "TextFile.h"
#include "UiDriver.h"
#include "actions/StartPageActions.h"
#include "actions/ViewActions.h"
#include "documents/Documents.h"
#include "language/Language.h"
#include "state/StartPage.h"
#include "tests/kernels/KernelCatalogue.h"

// What is kept between runs of the program.

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

/// A run of the program, without a window.
struct AnotherRun {
  explicit AnotherRun(const fs::path& folder) : documents(state, folder, {}) {}

  void answer(const std::string& lesson, const std::string& question) {
    state.lesson.progress[lesson].answered.insert(question);
    documents.settle(state);
  }

  AppState state;
  Documents documents;
};

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() : folder_(fs::path(::testing::TempDir()) / ("haloscope_memory" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~MemoryTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] fs::path file(const char* name = "course.json") const { return folder_ / name; }
  [[nodiscard]] nlohmann::json content(const char* name = "course.json") const {
    return nlohmann::json::parse(readFile(file(name)));
  }

  fs::path folder_;
};

TEST_F(MemoryTest, TheNextRunHasThemeTextSizeAndLanguage) {
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

TEST_F(MemoryTest, TheNextRunHasTheProgress) {
  {
    AnotherRun run(folder_);
    run.state.lesson.last = "ghost-cells";
    run.state.lesson.progress["ghost-cells"].read = true;
    lessons::resultOf(run.state.lesson.results, lessons::TestTime::After) = {
        .seed = 9, .day = "2026-11-29", .right = {{"a", true}, {"b", false}, {"c", true}}};
    run.state.labProgress["task"].solved = true;
    run.state.make.progress["tile"] = {MakeHelp::Outline, true, false};
    run.state.start.recent.push_back(
        {"stencil/tiled", {}, {{"N", 20}}, Workspace::Tune, Dim3{1, 0, 2}, 12, "stencil-tile"});
    run.answer("ghost-cells", "how-many");
  }
  const AnotherRun next(folder_);
  EXPECT_EQ(next.state.lesson.last, "ghost-cells");
  ASSERT_TRUE(next.state.lesson.progress.contains("ghost-cells"));
  EXPECT_TRUE(next.state.lesson.progress.at("ghost-cells").read);
  EXPECT_TRUE(next.state.lesson.progress.at("ghost-cells").answered.contains("how-many"));
  const lessons::TestResults& results = next.state.lesson.results;
  EXPECT_FALSE(lessons::resultOf(results, lessons::TestTime::Before).taken());
  EXPECT_EQ(lessons::resultOf(results, lessons::TestTime::After).day, "2026-11-29");
  EXPECT_EQ(lessons::resultOf(results, lessons::TestTime::After).right,
            (std::map<std::string, bool>{{"a", true}, {"b", false}, {"c", true}}));
  EXPECT_TRUE(next.state.labProgress.at("task").solved);
  EXPECT_EQ(next.state.make.progress.at("tile"), (MakeProgress{MakeHelp::Outline, true, false}));
  ASSERT_EQ(next.state.start.recent.size(), 1U);
  EXPECT_EQ(next.state.start.recent.front().bindings.at("N"), 20);
  EXPECT_EQ(next.state.start.recent.front().workspace, Workspace::Tune);
  EXPECT_EQ(next.state.start.recent.front().block, (Dim3{1, 0, 2}));
  EXPECT_EQ(next.state.start.recent.front().step, 12U);
  EXPECT_EQ(next.state.start.recent.front().lesson, "stencil-tile");
}

TEST_F(MemoryTest, OnlyAChangeIsWritten) {
  AppState state;
  std::string setAside;
  Memory memory(kViewMemory, folder_, setAside);
  static_cast<void>(memory.changed(state));
  EXPECT_FALSE(memory.changed(state));
  state.view.light = true;
  EXPECT_TRUE(memory.changed(state));
  EXPECT_FALSE(memory.changed(state));
}

TEST_F(MemoryTest, AValueOfTheWrongTypeHasItsDefault) {
  writeFile(file("view.json"), R"({"light": 3, "text scale": "large", "keys used": 7, "language": []})");
  EXPECT_FALSE(AnotherRun(folder_).state.view.light);
  EXPECT_FLOAT_EQ(AnotherRun(folder_).state.view.scale, 1);
  writeFile(file("view.json"), R"({"light": true, "text scale": 99})");
  EXPECT_TRUE(AnotherRun(folder_).state.view.light);
  EXPECT_FLOAT_EQ(AnotherRun(folder_).state.view.scale, kLargestTextScale);
}

TEST_F(MemoryTest, ADamagedFileIsKeptAndSaid) {
  const std::string damaged = R"({"lessons": {"ghost-cells": {"read": tr)";
  for (const char* name : {"course.json", "buglab.json", "making.json", "view.json", "recent.json", "launches.json"}) {
    writeFile(file(name), damaged);
  }
  AnotherRun run(folder_);
  EXPECT_EQ(run.state.editing.notices.size(), 6U);
  EXPECT_NE(run.state.editing.notices.front().find(".damaged"), std::string::npos);
  run.answer("tiles", "first");
  for (const char* name : {"course.json", "buglab.json", "making.json", "view.json", "recent.json", "launches.json"}) {
    EXPECT_EQ(readFile(folder_ / (std::string(name) + ".damaged")), damaged) << name;
  }
  EXPECT_TRUE(content()["lessons"].contains("tiles"));
}

TEST_F(MemoryTest, AFileDamagedMeanwhileIsKeptAndSaid) {
  AnotherRun run(folder_);
  run.answer("tiles", "first");
  for (const char* damaged : {"{", "[1]"}) {
    writeFile(file(), damaged);
    run.answer("tiles", std::string("after ") + damaged);
    EXPECT_TRUE(content()["lessons"]["tiles"].contains("answered"));
  }
  EXPECT_EQ(readFile(folder_ / "course.json.damaged"), "{");
  EXPECT_EQ(readFile(folder_ / "course.json.damaged2"), "[1]");
  EXPECT_EQ(run.state.editing.notices.size(), 2U);
}

TEST_F(MemoryTest, AnEmptyFileIsNotDamaged) {
  writeFile(file(), "\n");
  EXPECT_TRUE(AnotherRun(folder_).state.editing.notices.empty());
}

TEST_F(MemoryTest, TwoWindowsKeepEachOthersAnswers) {
  AnotherRun one(folder_);
  AnotherRun other(folder_);
  one.state.lesson.progress["tiles"].read = true;
  one.answer("tiles", "first");
  other.answer("tiles", "second");
  other.answer("halos", "third");
  one.answer("tiles", "fourth");
  const nlohmann::json lessons = content()["lessons"];
  EXPECT_EQ(lessons["tiles"]["answered"].size(), 3U) << lessons;
  EXPECT_TRUE(lessons["tiles"]["read"].get<bool>()) << lessons;
  EXPECT_EQ(lessons["halos"]["answered"].size(), 1U) << lessons;
}

TEST_F(MemoryTest, WhatThisVersionDoesNotKnowStays) {
  writeFile(file(), R"({"notes": "mine", "lessons": {}})");
  AnotherRun(folder_).answer("tiles", "first");
  EXPECT_EQ(content()["notes"], "mine");
}

TEST_F(MemoryTest, ARecentKernelThatIsGoneIsSaid) {
  AppState state;
  state.start.shown = true;
  state.start.recent = {{"stencil/gone", {}, {}, Workspace::Tune}};
  startRecent(state, 0);
  EXPECT_TRUE(state.start.shown) << "there is nothing else to show";
  ASSERT_TRUE(state.problem);
  EXPECT_NE(state.problem->message.find("stencil/gone"), std::string::npos);
  EXPECT_TRUE(state.start.recent.empty());
}

TEST_F(MemoryTest, TheNewestRecentIsFirstAndNothingIsListedTwice) {
  AppState state;
  const auto look = [&](const std::string& id, std::int64_t size) {
    state.choice.kernel = id;
    state.choice.bindings = {{"N", size}};
    noteRecent(state);
  };
  state.catalogue = catalogue();
  look("stencil/basic", 20);
  look("stencil/tiled", 20);
  look("stencil/basic", 24);
  ASSERT_EQ(state.start.recent.size(), 2U);
  EXPECT_EQ(state.start.recent[0].kernel, "stencil/basic");
  EXPECT_EQ(state.start.recent[0].bindings.at("N"), 24);
  EXPECT_EQ(state.start.recent[1].kernel, "stencil/tiled");
  std::size_t count = 0;
  for (const KernelFile& file : state.catalogue.kernels()) {
    look(file.id, 20);
    if (++count > kMostRecent) { break; }
  }
  EXPECT_EQ(state.start.recent.size(), kMostRecent);
}

TEST_F(MemoryTest, DamagedRecentEntriesAreLeftOut) {
  writeFile(file("recent.json"), R"([1, null, {}, {"kernel": 3}, {"kernel": "a/1", "file": "/b.cu"}, {"file": "b.cu"},
                         {"kernel": "a/2", "workspace": "nowhere", "sizes": {"N": "x", "M": 8}}])");
  const AnotherRun run(folder_);
  ASSERT_EQ(run.state.start.recent.size(), 1U);
  EXPECT_EQ(run.state.start.recent[0], (RecentItem{"a/2", {}, {{"M", 8}}, Workspace::Walk}));
}

TEST_F(MemoryTest, WithoutAFolderNothingIsKept) {
  AppState state;
  state.view.light = true;
  Documents documents(state, {}, {});
  documents.settle(state);
  EXPECT_TRUE(state.view.light);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace haloscope::test
