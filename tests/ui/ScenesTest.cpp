#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "TextFile.h"
#include "UiDriver.h"
#include "actions/Comparing.h"
#include "actions/PlaygroundActions.h"
#include "actions/SessionActions.h"
#include "actions/ViewActions.h"
#include "documents/SessionFile.h"
#include "language/Language.h"
#include "state/Playground.h"
#include "state/Session.h"

// The scenes of a lecture: recorded, shown again, saved and opened elsewhere.

namespace haloscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ScenesTest : public ::testing::Test {
 protected:
  ScenesTest() : folder_(fs::path(::testing::TempDir()) / ("haloscope_scenes" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    restart();
  }
  ~ScenesTest() override {
    driver_.reset();
    ::unsetenv("XDG_CACHE_HOME");
    setLanguage(Language::English);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  /// Another run of the program, which remembers what the last one kept.
  void restart() {
    driver_.reset();
    driver_ = std::make_unique<UiDriver>([&](AppOptions& options) { options.memory = folder_ / "memory"; });
  }
  AppState& state() { return driver_->state(); }
  Session& session() { return state().session; }
  void settle() { driver_->settle(); }
  void choose(const std::string& kernel, const Bindings& with, std::size_t position) {
    state().choice = {kernel, with, std::nullopt};
    settle();
    state().cursor.goTo(position);
  }
  void edit(const std::string& from, const std::string& to) {
    std::string text = state().copies.at(state().choice.kernel).text;
    text.replace(text.find(from), from.size(), to);
    state().copies.at(state().choice.kernel).setText(text);
    settle();
  }
  void save(const fs::path& path) {
    state().fileRequests.saveSession = path;
    settle();
  }

  fs::path folder_;
  std::unique_ptr<UiDriver> driver_;
};

TEST_F(ScenesTest, ASceneBringsBackWhatTheWindowShowed) {
  choose("stencil/coarsened", {{"N", 20}, {"IN_TILE_DIM", 8}}, 41);
  state().choice.block = Dim3{1, 2, 0};
  settle();
  state().cursor.goTo(41);
  state().selection.thread = 13;
  state().view.camera = {.yaw = 0.1F, .pitch = 0.2F, .zoom = 1.5F};
  state().view.tabs.bringToFront(Tab::Addresses);
  state().playback.speed = 3;
  settle();
  recordScene(state());
  choose("convolution/basic", {}, 3);
  state().view.tabs.enter(Workspace::Tune);
  state().view.language = Language::Chinese;
  state().view.camera = {};
  settle();
  recordScene(state());
  ASSERT_EQ(session().scenes.size(), 2U);
  goToPreviousScene(state());
  settle();
  EXPECT_EQ(state().experiment->file.id, "stencil/coarsened");
  EXPECT_EQ(state().experiment->bindings.at("IN_TILE_DIM"), 8);
  EXPECT_EQ(state().experiment->block, (Dim3{1, 2, 0}));
  EXPECT_EQ(state().cursor.position(), 41U);
  EXPECT_EQ(state().selection.thread, 13U);
  EXPECT_FLOAT_EQ(state().view.camera.zoom, 1.5F);
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Walk);
  EXPECT_TRUE(state().view.tabs.inFront(Tab::Addresses));
  EXPECT_EQ(state().playback.speed, 3);
  EXPECT_EQ(language(), Language::English);
  goToNextScene(state());
  settle();
  EXPECT_EQ(state().experiment->file.id, "convolution/basic");
  EXPECT_EQ(state().cursor.position(), 3U);
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Tune);
  EXPECT_EQ(language(), Language::Chinese);
  goToNextScene(state());
  EXPECT_EQ(session().current, 1U) << "there is none after the last";
}

TEST_F(ScenesTest, VariantsSideBySideComeBackSideBySide) {
  choose("stencil/tiled", {}, 0);
  toggleCompared(state(), "stencil/basic");
  startComparison(state());
  settle();
  recordScene(state());
  leaveComparison(state());
  settle();
  EXPECT_FALSE(state().comparison.on);
  goToScene(state(), 0);
  settle();
  EXPECT_TRUE(state().comparison.on);
  EXPECT_TRUE(isCompared(state(), "stencil/basic"));
  EXPECT_EQ(state().comparison.variants.size(), 2U);
}

TEST_F(ScenesTest, ALectureOpensInAnotherFolder) {
  const fs::path own = folder_ / "work" / "mine.cu";
  fs::create_directories(own.parent_path());
  writeFile(own.parent_path() / "rate.h", "#define RATE 2.0f\n");
  writeFile(own,
            "#include \"rate.h\"\n__global__ void scale(float* x, int n) {\n  int i = threadIdx.x;\n"
            "  if (i < n) x[i] = RATE * x[i];\n}\n");
  state().fileRequests.open = own;
  settle();
  settle();
  ASSERT_TRUE(state().experiment->file.isOpened());
  state().cursor.goTo(2);
  recordScene(state());
  choose("stencil/tiled", {{"N", 16}}, 5);
  edit("__syncthreads();", "// no barrier");
  recordScene(state());
  const fs::path file = folder_ / "lecture.halo";
  save(file);
  EXPECT_FALSE(session().changed());
  EXPECT_THAT(session().message, HasSubstr("2 scenes saved"));

  const fs::path moved = folder_ / "elsewhere" / "moved.halo";
  fs::create_directories(moved.parent_path());
  fs::rename(file, moved);
  driver_.reset();  // it may still be writing there
  fs::remove_all(own.parent_path());
  fs::remove_all(folder_ / "memory");
  restart();
  state().fileRequests.open = moved;
  settle();
  settle();
  ASSERT_FALSE(state().problem) << state().problem->message;
  ASSERT_EQ(session().scenes.size(), 2U);
  EXPECT_EQ(state().experiment->file.kernel, "scale");
  EXPECT_EQ(state().cursor.position(), 2U);
  goToNextScene(state());
  settle();
  EXPECT_THAT(state().experiment->file.text, HasSubstr("// no barrier"));
  EXPECT_EQ(state().cursor.position(), 5U);
  choose("stencil/basic", {}, 0);
  ASSERT_FALSE(state().start.recent.empty());
  EXPECT_EQ(state().start.recent.front().file, moved);
}

/// The field of the playground is swept as far as a scene says, by its engine, with its numbers.
TEST_F(ScenesTest, AProblemOfThePlaygroundIsSweptAgain) {
  state().view.tabs.enter(Workspace::Play);
  driver_->app().frame(1.0 / 60);
  startProblem(state(), "playground/heat_plate");
  choosePlaySize(state(), 128);
  chooseCoefficient(state(), "RATE", 5);
  settle();
  chooseEngine(state(), "stencil/2d_5_tiled");
  state().fieldControls.run = false;
  state().playground.perSecond = 2;
  settle();
  for (int i = 0; i < 3; ++i) {
    state().fieldControls.singleSweep = true;
    settle();
  }
  const std::uint64_t sweeps = state().field.sweeps;
  ASSERT_GE(sweeps, 3U);
  driver_->app().frame(1.0 / 60);
  recordScene(state());
  ASSERT_TRUE(session().scenes.at(0).play);
  EXPECT_EQ(session().scenes[0].play->problem, "playground/heat_plate");
  EXPECT_EQ(session().scenes[0].play->sweeps, sweeps);
  const experiment::Choice recorded = state().choice;
  const fs::path file = folder_ / "play.halo";
  save(file);
  ASSERT_FALSE(session().changed()) << state().problem.value_or(Problem{}).message;
  driver_.reset();  // it may still be writing there
  fs::remove_all(folder_ / "memory");
  restart();
  state().fileRequests.open = file;
  settle();
  settle();
  ASSERT_FALSE(state().problem) << state().problem->message;
  EXPECT_EQ(state().view.tabs.workspace(), Workspace::Play);
  EXPECT_EQ(state().choice, recorded) << "no other problem takes its place";
  EXPECT_EQ(state().field.kernel, "stencil/2d_5_tiled");
  EXPECT_EQ(state().field.extents, (std::vector<std::int64_t>{128, 128}));
  EXPECT_EQ(state().field.sweeps, sweeps);
  EXPECT_FALSE(state().fieldControls.run);
  EXPECT_EQ(state().playground.perSecond, 2);
  EXPECT_EQ(state().playground.problem, "playground/heat_plate");
  EXPECT_EQ(state().playground.coefficients.at("RATE"), 5);
  // Once more, from a field that has gone on.
  state().fieldControls.singleSweep = true;
  settle();
  EXPECT_EQ(state().field.sweeps, sweeps + 1);
  goToScene(state(), 0);
  settle();
  driver_->app().frame(1.0 / 60);
  settle();
  EXPECT_EQ(state().field.sweeps, sweeps);
}

TEST_F(ScenesTest, ASceneInThePlaygroundKeepsItsSizesBlockAndPlace) {
  const fs::path file = folder_ / "life.halo";
  writeFile(file,
            "haloscope session: 1\nscenes:\n  - title: a\n    kernel: playground/life\n    workspace: play\n"
            "    with: {N: 40}\n    block: \"0,1,0\"\n    place: {step: 3}\n");
  state().fileRequests.open = file;
  settle();
  settle();
  ASSERT_FALSE(state().problem) << state().problem->message;
  EXPECT_EQ(state().choice.kernel, "playground/life");
  EXPECT_EQ(state().playground.problem, "playground/life");
  EXPECT_EQ(state().experiment->block, (Dim3{0, 1, 0}));
  EXPECT_EQ(state().experiment->bindings.at("N"), 40);
  EXPECT_EQ(state().cursor.position(), 3U);
  writeFile(file,
            "haloscope session: 1\nscenes:\n  - title: a\n    kernel: stencil/tiled\n    workspace: play\n"
            "    play: {problem: playground/life}\n");
  state().fileRequests.open = file;
  settle();
  settle();
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("stencil/tiled does not compute playground/life"));
}

TEST_F(ScenesTest, CtrlSSavesWhatWasChangedLast) {
  const fs::path own = folder_ / "mine.cu";
  writeFile(own, "__global__ void k(float* x) { x[threadIdx.x] = 1.0f; }\n");
  state().fileRequests.open = own;
  settle();
  settle();
  EXPECT_FALSE(haloscope::savesScenes(state())) << "there are none";
  recordScene(state());
  EXPECT_TRUE(haloscope::savesScenes(state()));
  state().session.changedLast = false;  // as the editor says
  edit("1.0f", "2.0f");
  EXPECT_FALSE(haloscope::savesScenes(state()));
  haloscope::save(state());
  settle();
  EXPECT_THAT(readFile(own), HasSubstr("2.0f"));
  EXPECT_TRUE(session().changed()) << "the scenes were not saved with it";
  edit("2.0f", "3.0f");
  recordScene(state());
  EXPECT_TRUE(haloscope::savesScenes(state()));
  haloscope::save(state());
  EXPECT_EQ(state().view.fileDialog, View::FileDialog::SaveSession);
}

TEST_F(ScenesTest, ASessionIsClosedAndWhatWasNotSavedIsBackLater) {
  recordScene(state());
  save(folder_ / "first.halo");
  newSession(state());
  settle();
  EXPECT_TRUE(session().scenes.empty());
  EXPECT_TRUE(session().path.empty());
  recordScene(state());
  newSession(state());
  settle();
  EXPECT_TRUE(session().scenes.empty());
  EXPECT_FALSE(state().problem);
  restart();
  EXPECT_EQ(session().scenes.size(), 1U);
}

TEST_F(ScenesTest, ASessionThatComesWithTheProgramIsNotReplaced) {
  const fs::path shipped = folder_ / "assets" / "sessions";
  fs::create_directories(shipped);
  const std::string text = "haloscope session: 1\nscenes:\n  - {title: a, kernel: stencil/tiled}\n";
  writeFile(shipped / "example.halo", text);
  state().shippedSessions = shipped;
  state().fileRequests.open = shipped / "example.halo";
  settle();
  settle();
  recordScene(state());
  saveSession(state());
  EXPECT_EQ(state().view.fileDialog, View::FileDialog::SaveSession);
  state().view.fileDialog = View::FileDialog::None;
  save(shipped / "example.halo");
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("comes with Haloscope"));
  EXPECT_EQ(readFile(shipped / "example.halo"), text);
}

/// A text that no file can hold: the scenes are neither lost nor replaced.
TEST_F(ScenesTest, ScenesThatCannotBeKeptStayOnScreen) {
  choose("stencil/tiled", {}, 1);
  edit("__syncthreads();", "// \xff");
  recordScene(state());
  settle();
  ASSERT_FALSE(state().editing.notices.empty());
  EXPECT_THAT(state().editing.notices.back(), HasSubstr("not UTF-8"));
  newSession(state());
  settle();
  EXPECT_EQ(session().scenes.size(), 1U);
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("could not be kept"));
}

TEST_F(ScenesTest, ASceneThatCouldNotBeShownIsNotReplaced) {
  const fs::path file = folder_ / "gone.halo";
  writeFile(file, "haloscope session: 1\nscenes:\n  - {title: a, kernel: stencil/gone}\n");
  state().fileRequests.open = file;
  settle();
  ASSERT_TRUE(state().problem);
  recordAgain(state());
  EXPECT_EQ(session().scenes.at(0).choice.kernel, "stencil/gone");
  EXPECT_FALSE(session().changed());
}

TEST_F(ScenesTest, AVariantWithoutATextOfItsOwnIsAsInItsFileAndTheEditIsKept) {
  choose("stencil/tiled", {}, 1);
  recordScene(state());
  edit("__syncthreads();", "// mine");
  goToScene(state(), 0);
  settle();
  EXPECT_THAT(state().experiment->file.text, ::testing::Not(HasSubstr("// mine")));
  ASSERT_TRUE(state().copies.contains("opened/tiled"));
  EXPECT_THAT(state().copies.at("opened/tiled").text, HasSubstr("// mine"));
  EXPECT_THAT(session().message, HasSubstr("opened/tiled"));
}

TEST_F(ScenesTest, AKeptTextHasNoOtherFilesName) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  writeFile(folder_ / "tiled.cu", "// another file\n");
  choose("stencil/tiled", {}, 1);
  recordScene(state());
  edit("__syncthreads();", "// mine");
  goToScene(state(), 0);
  settle();
  ASSERT_TRUE(state().copies.contains("opened/tiled-2"));
  EXPECT_THAT(state().copies.at("opened/tiled-2").text, HasSubstr("// mine"));
  fs::current_path(before);
}

TEST_F(ScenesTest, ScenesAreMovedDeletedAndUndone) {
  for (const char* title : {"a", "b", "c"}) {
    recordScene(state());
    session().scenes[session().current].title = title;
  }
  const auto titles = [&] {
    std::string all;
    for (const Scene& scene : session().scenes) { all += scene.title; }
    return all;
  };
  moveScene(state(), 2, -2);
  EXPECT_EQ(titles(), "cab");
  EXPECT_EQ(session().current, 0U) << "the scene on screen stays the current one";
  moveScene(state(), 0, 9);
  EXPECT_EQ(titles(), "abc");
  deleteScene(state(), 1);
  EXPECT_EQ(titles(), "ac");
  undoSceneChange(state());
  EXPECT_EQ(titles(), "abc");
  undoSceneChange(state());
  EXPECT_EQ(titles(), "cab");
  redoSceneChange(state());
  EXPECT_EQ(titles(), "abc");
  for (int i = 0; i < 5; ++i) { deleteScene(state(), 0); }
  EXPECT_EQ(titles(), "");
  undoSceneChange(state());
  EXPECT_EQ(titles(), "c");
}

TEST_F(ScenesTest, NothingIsLostWhereTheFileCannotBeWritten) {
  recordScene(state());
  save("/proc/lecture.halo");
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("/proc/lecture.halo could not be written"));
  EXPECT_TRUE(session().changed());
  EXPECT_TRUE(session().path.empty());
  // Another program has written the file in the meantime.
  const fs::path file = folder_ / "lecture.halo";
  save(file);
  ASSERT_FALSE(session().changed());
  writeFile(file, "haloscope session: 1\nscenes: []\n");
  recordScene(state());
  save(file);
  EXPECT_TRUE(state().problem);
  EXPECT_TRUE(session().changed());
  EXPECT_EQ(readFile(file), "haloscope session: 1\nscenes: []\n");
}

TEST_F(ScenesTest, ADamagedSessionLeavesTheOneThatIsOpen) {
  recordScene(state());
  const fs::path file = folder_ / "broken.halo";
  writeFile(file, "haloscope session: 1\nscenes:\n  - title: a\n    kernle: stencil/tiled\n");
  state().fileRequests.open = file;
  settle();
  ASSERT_TRUE(state().problem);
  EXPECT_THAT(state().problem->message, HasSubstr("broken.halo:4:5"));
  EXPECT_EQ(session().scenes.size(), 1U);
  EXPECT_TRUE(session().path.empty());
}

TEST_F(ScenesTest, ScenesThatWereNotSavedAreThereInTheNextRun) {
  choose("stencil/tiled", {{"N", 16}}, 5);
  recordScene(state());
  settle();
  restart();
  ASSERT_EQ(session().scenes.size(), 1U);
  EXPECT_TRUE(session().changed());
  ASSERT_FALSE(state().editing.notices.empty());
  save(folder_ / "saved.halo");
  restart();
  EXPECT_TRUE(session().scenes.empty()) << "they have their file";
}

}  // namespace
}  // namespace haloscope::test
